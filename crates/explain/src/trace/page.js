
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const svgns = "http://www.w3.org/2000/svg";
const make = (tag, attributes, parent, text) => {
  const element = tag.startsWith("svg:") ? document.createElementNS(svgns, tag.slice(4)) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
};
const short = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;
const long = data.nodes.some(node => node.name.length > 9);
const label = (node, i) => long ? "#" + i : node.name;
const numbers = new Map(data.nodes.map((node, i) => [node.key, i]));
const elements = data.lattice ? new Map(data.lattice.elements.map((e, i) => [e.key, i])) : new Map();
const shown = json => { const i = elements.get(JSON.stringify(json)); return i === undefined ? short(JSON.stringify(json), 80) : data.lattice.elements[i].text; };
for (const text of data.left_out) make("p", {}, document.getElementById("left-out"), "Left out: " + text + ".");
const nameOf = json => { const i = numbers.get(JSON.stringify(json)); return i === undefined ? String(json) : (long ? `#${i} (${data.nodes[i].name})` : data.nodes[i].name); };
const worth = json => { const i = numbers.get(JSON.stringify(json)); return i === undefined || data.nodes[i].value === undefined || data.nodes[i].value === data.nodes[i].name ? "" : ", worth " + short(data.nodes[i].value, 80); };
const kindOf = json => { const i = numbers.get(JSON.stringify(json)); return i === undefined ? "node" : { or: "OR node", and: "AND node", leaf: "leaf" }[data.nodes[i].kind]; };

// The outline of a node, around a place.
const outline = (shape, x, y, parent) => {
  if (shape === "square") make("svg:rect", { class: "shape", x: x - 16, y: y - 16, width: 32, height: 32 }, parent);
  else if (shape === "circle") make("svg:circle", { class: "shape", cx: x, cy: y, r: 17 }, parent);
  else make("svg:rect", { class: "shape", x: x - 27, y: y - 14, width: 54, height: 28, rx: 8 }, parent);
};

// What the signs mean: of each that can be seen on this page.
const meaning = document.getElementById("meaning");
const sign = (classes, shape, words) => {
  const item = make("li", {}, meaning);
  const svg = make("svg:svg", { viewBox: "-30 -20 60 40", width: 36, height: 24, "aria-hidden": "true" }, item);
  const group = make("svg:g", { class: classes }, svg);
  if (shape === "round") make("svg:rect", { class: "shape", x: -25, y: -14, width: 50, height: 28, rx: 14 }, group);
  else outline(shape, 0, 0, group);
  if (shape === "plain") make("svg:text", { class: "name" }, group, "x");
  make("span", {}, item, words);
};
for (const [kind, words] of [["or", "OR node"], ["and", "AND node"], ["leaf", "leaf"]]) {
  const one = data.nodes.find(node => node.kind === kind);
  if (one) sign(one.kind + " " + one.shape, one.shape, words);
}
sign("seen", "square", "was searched");
sign("path", "square", "is being searched");
sign("path here", "square", "this step");
sign("cut", "square", "children were cut off");
if (data.lattice) {
  sign("inside", "round", "in the window");
  sign("end", "round", "alpha, beta");
  sign("value", "round", "the value found");
}

// What is known after each step, from the beginning: the path, what was seen, and what is remembered.
function stateAt(events, step) {
  const state = { path: [], seen: new Map(), cuts: new Set(), remembered: new Map() };
  for (let i = 0; i <= step && i < events.length; i++) {
    const event = events[i], key = JSON.stringify(event.node);
    if (event.event === "enter") { state.path.push({ key, event }); state.seen.set(key, (state.seen.get(key) || 0) + 1); }
    else if (event.event === "leaf") state.seen.set(key, (state.seen.get(key) || 0) + 1);
    else if (event.event === "cutoff") state.cuts.add(key);
    else if (event.event === "exit") {
      for (let j = state.path.length - 1; j >= 0; j--) if (state.path[j].key === key) { state.path.length = j; break; }
      state.remembered.set(key, event);
    }
  }
  return state;
}
function known(event) {
  if (!event) return "";
  if (event.value !== undefined) return shown(event.value);
  if (event.lower !== undefined) return JSON.stringify(event.lower) === JSON.stringify(event.upper) ? shown(event.lower) : shown(event.lower) + " .. " + shown(event.upper);
  return "";
}
function words(search, step, state) {
  const events = search.events;
  const event = events[step];
  if (!event) return ["The search has not begun."];
  const name = nameOf(event.node), kind = kindOf(event.node), said = [];
  const inside = state.path.at(-1);
  if (event.event === "enter") {
    said.push(`Enters ${kind} ${name}${worth(event.node)}` + (event.call ? ` by ${event.call}` : "") + ".");
    if (event.alpha !== undefined) said.push(`The window is from ${shown(event.alpha)} (alpha) to ${shown(event.beta)} (beta).`);
    const before = state.remembered.get(JSON.stringify(event.node));
    if (before) said.push(search.remembers ? `It was here before and remembers ${known(before)}.` : `It was here before, found ${known(before)}, and has forgotten it.`);
  } else if (event.event === "leaf") {
    said.push(`Reads leaf ${name}${worth(event.node)}.`);
  } else if (event.event === "cutoff") {
    const at = state.path.slice().reverse().find(p => p.key === JSON.stringify(event.node));
    const or = kind === "OR node";
    said.push(`Cuts at ${kind} ${name}: ${event.skipped} ${event.skipped === 1 ? "child is" : "children are"} left out.`);
    if (at && at.event.beta !== undefined) said.push(or ? `What it has already is seen through the window as much as beta, ${shown(at.event.beta)}, so more children cannot matter.` : `What is left of it is seen through the window as no more than alpha, ${shown(at.event.alpha)}, so more children cannot matter.`);
  } else if (event.event === "exit") {
    said.push(`Leaves ${kind} ${name} ${search.remembers ? "and remembers" : "with"} ${known(event)}.`);
  }
  if (inside && event.event !== "enter" && inside.key !== JSON.stringify(event.node)) said.push(`It is at ${kindOf(JSON.parse(inside.key))} ${nameOf(JSON.parse(inside.key))} now.`);
  return said;
}

const views = [];
let together = data.searches.length > 1;
// The search that keys move, if each moves alone: the one that was used last.
let used = null;
// Milliseconds from step to step, and what plays.
const PACE = 800;
let playing = null;

function view(search, place) {
  const box = make("section", { class: "search", "aria-labelledby": "head" + place }, document.getElementById("searches"));
  const plain = text => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  make("h2", { id: "head" + place }, box, plain(search.name).startsWith(plain(search.algorithm)) ? search.name : `${search.name} (${search.algorithm})`);
  make("p", { class: "quiet" }, box, `${search.events.length} events; the value is ${search.value}`);
  const top = make("div", { class: "now" }, box);
  const controls = make("div", { class: "controls" }, top);
  const press = (text, label, act) => {
    const button = make("button", { type: "button", "aria-label": label, title: label }, controls, text);
    button.addEventListener("click", () => { used = self; act(); });
    return button;
  };
  const lastCut = press("◀ cut", "The cut before (p)", () => self.cut(-1));
  press("◀", "One step back (left arrow)", () => go(self, self.at() - 1));
  const play = press("Play", "Play, or hold on (space)", () => toggle());
  press("▶", "One step on (right arrow)", () => go(self, self.at() + 1));
  const nextCut = press("cut ▶", "The next cut (n)", () => self.cut(1));
  const whole = press("Whole graph", "Show all of the graph (w)", () => self.fit());
  const count = make("output", {}, controls);
  const slider = make("input", { type: "range", min: 0, max: search.events.length, value: 0, "aria-label": `Step of ${search.name}` }, controls);
  const said = make("div", { class: "said", "aria-live": "polite" }, top);
  const way = make("p", { class: "way" }, top);
  const graph = make("div", { class: "graph", tabindex: 0, role: "group", "aria-label": "The graph" }, box);
  const svg = make("svg:svg", { viewBox: `0 0 ${data.width} ${data.height}`, role: "img", "aria-label": `A graph of ${data.nodes.length} nodes` }, graph);
  const lines = data.edges.map(([a, b]) => make("svg:line", { x1: data.nodes[a].x, y1: data.nodes[a].y, x2: data.nodes[b].x, y2: data.nodes[b].y }, svg));
  const groups = data.nodes.map((node, number) => {
    const group = make("svg:g", { class: node.kind }, svg);
    const { x, y } = node;
    outline(node.shape, x, y, group);
    make("svg:title", {}, group, node.name + (node.value === undefined ? "" : ": " + node.value));
    make("svg:text", { class: "name", x, y: node.kind === "leaf" && node.value !== node.name ? y - 6 : y }, group, short(label(node, number), node.kind === "leaf" ? 9 : 5));
    const below = make("svg:text", { class: "known", x, y: node.kind === "leaf" ? y + 7 : y + 26 }, group, node.kind === "leaf" && node.value !== node.name ? short(node.value, 9) : "");
    return { group, below };
  });
  let hasse = null;
  if (data.lattice) {
    const frame = make("div", { class: "lattice", tabindex: 0, role: "group", "aria-label": "The lattice" }, box);
    const drawing = make("svg:svg", { viewBox: `0 0 ${data.lattice.width} ${data.lattice.height}`, width: data.lattice.width, height: data.lattice.height, role: "img", "aria-label": "The lattice with the window marked" }, frame);
    for (const [a, b] of data.lattice.covers) make("svg:line", { x1: data.lattice.elements[a].x, y1: data.lattice.elements[a].y, x2: data.lattice.elements[b].x, y2: data.lattice.elements[b].y }, drawing);
    hasse = data.lattice.elements.map(e => {
      const group = make("svg:g", {}, drawing);
      make("svg:rect", { class: "shape", x: e.x - 29, y: e.y - 14, width: 58, height: 28, rx: 14 }, group);
      make("svg:text", { x: e.x, y: e.y }, group, short(e.text, 9));
      make("svg:title", {}, group, e.text);
      return group;
    });
  }

  // How large the graph is: as wide as there is room for, but letters stay readable, or all of it.
  let all = false;
  const scale = () => {
    const most = Math.min(1, graph.clientWidth / data.width);
    return all ? Math.min(most, 0.6 * window.innerHeight / data.height) : Math.max(most, 0.7);
  };
  function size() {
    svg.setAttribute("width", data.width * scale());
    svg.setAttribute("height", data.height * scale());
  }
  // What matters stays in view: the whole path from the root if there is room, or as much of its end as there is.
  function follow(path, here) {
    const by = scale(), room = 40;
    const places = path.concat(here).filter(i => i !== undefined).map(i => data.nodes[i]);
    if (places.length === 0) places.push(data.nodes[0]);
    const last = places.at(-1);
    const along = (axis, length, at) => {
      let from = Math.min(...places.map(p => p[axis])) * by - room, to = Math.max(...places.map(p => p[axis])) * by + room;
      const near = last[axis] * by;
      // Too long: its end, with as much before it as there is room for.
      if (to - from > length) {
        const next = Math.max(near + room, Math.min(to, from + length));
        from = next - length;
        to = next;
      }
      if (from >= at && to <= at + length) return at;
      return axis === "y" && to <= length ? 0 : (from + to - length) / 2;
    };
    graph.scrollLeft = along("x", graph.clientWidth, graph.scrollLeft);
    graph.scrollTop = along("y", graph.clientHeight, graph.scrollTop);
  }

  const cuts = search.events.flatMap((event, i) => event.event === "cutoff" ? [i + 1] : []);
  function show(step) {
    step = Math.max(0, Math.min(search.events.length, step));
    slider.value = step;
    count.textContent = `${step} of ${search.events.length}`;
    lastCut.disabled = !cuts.some(cut => cut < step);
    nextCut.disabled = !cuts.some(cut => cut > step);
    const state = stateAt(search.events, step - 1), event = search.events[step - 1];
    said.textContent = words(search, step - 1, state).join(" ");
    slider.setAttribute("aria-valuetext", said.textContent);
    const path = new Set(state.path.map(p => p.key)), here = event ? JSON.stringify(event.node) : "";
    data.nodes.forEach((node, i) => {
      const { group, below } = groups[i], seen = state.seen.has(node.key);
      group.setAttribute("class", [node.kind, node.shape, seen ? "seen" : "unseen", path.has(node.key) ? "path" : "", node.key === here ? "here" : "", state.cuts.has(node.key) ? "cut" : ""].filter(Boolean).join(" "));
      if (node.kind !== "leaf") below.textContent = short(known(state.remembered.get(node.key)), 14);
    });
    const order = state.path.map(p => numbers.get(p.key));
    data.edges.forEach(([a, b], i) => lines[i].setAttribute("class", order.some((n, k) => n === a && order[k + 1] === b) ? "onpath" : ""));
    way.replaceChildren();
    make("span", {}, way, order.length ? "From the root: " : "From the root: nowhere now");
    state.path.forEach((p, k) => {
      const i = numbers.get(p.key);
      if (k > 0) way.append(" › ");
      make("b", {}, way, short(i === undefined ? p.key : label(data.nodes[i], i), 9));
    });
    way.scrollTop = way.scrollHeight;
    follow(order, numbers.get(here));
    if (hasse) {
      const window = state.path.slice().reverse().find(p => p.event.alpha !== undefined);
      const alpha = window && elements.get(JSON.stringify(window.event.alpha)), beta = window && elements.get(JSON.stringify(window.event.beta));
      const value = event && event.event === "exit" ? elements.get(JSON.stringify(event.value !== undefined ? event.value : event.lower)) : undefined;
      hasse.forEach((group, i) => {
        const inside = alpha !== undefined && beta !== undefined && data.lattice.above[alpha].includes(i) && data.lattice.above[i].includes(beta);
        group.setAttribute("class", [inside ? "inside" : "", i === alpha || i === beta ? "end" : "", i === value ? "value" : ""].filter(Boolean).join(" "));
      });
    }
  }
  const self = {
    box, show,
    last: search.events.length,
    at: () => Number(slider.value),
    cut: way => {
      const at = self.at(), to = way > 0 ? cuts.find(cut => cut > at) : cuts.findLast(cut => cut < at);
      if (to !== undefined) go(self, to);
    },
    fit: () => { all = !all; whole.setAttribute("aria-pressed", all); size(); show(self.at()); },
    plays: is => { play.textContent = is ? "Hold" : "Play"; said.setAttribute("aria-live", is ? "off" : "polite"); },
    size: () => { size(); show(self.at()); },
  };
  whole.setAttribute("aria-pressed", false);
  slider.addEventListener("input", () => { used = self; go(self, Number(slider.value)); });
  box.addEventListener("focusin", () => { used = self; });
  views.push(self);
  size();
  show(0);
}

// One search goes to a step, and the others with it if they move together; the address says where.
function go(self, step) {
  for (const other of together ? views : [self]) other.show(step);
  told();
}
let later = 0;
function told() {
  clearTimeout(later);
  later = setTimeout(() => {
    const steps = views.map(v => v.at());
    // Where one search has ended and another goes on, one number says both.
    const most = Math.max(...steps);
    const one = views.every((v, i) => steps[i] === Math.min(most, v.last));
    // A page within another has no address of its own.
    if (location.protocol !== "about:") history.replaceState(null, "", "#step=" + (one ? most : steps.join(",")));
  }, 150);
}
// #step=12, or #step=12,30 where each stands elsewhere; #12 is read too.
function asked() {
  const found = /^#(?:step=)?(\d+)(?:,(\d+))?$/.exec(location.hash);
  if (!found) return;
  const steps = [found[1], found[2] ?? found[1]].map(Number);
  if (steps[0] !== steps[1]) setTogether(false);
  views.forEach((v, i) => v.show(steps[i]));
}
function toggle() {
  if (playing === null) {
    const moved = () => together ? views : [used || views[0]];
    if (moved().every(v => v.at() >= v.last)) moved().forEach(v => v.show(0));
    playing = setInterval(() => {
      const most = Math.max(...moved().map(v => v.at()));
      if (moved().every(v => v.at() >= v.last)) toggle();
      else if (together) go(views[0], most + 1);
      else go(moved()[0], most + 1);
    }, PACE);
  } else {
    clearInterval(playing);
    playing = null;
  }
  for (const other of views) other.plays(playing !== null);
}
if (window.innerWidth < 700) document.getElementById("help").open = false;
const button = document.getElementById("together");
function setTogether(is) {
  together = is && views.length > 1;
  button.setAttribute("aria-pressed", together);
}
data.searches.forEach(view);
// Only now it is known how wide each is.
views.forEach(v => v.size());
button.hidden = views.length < 2;
setTogether(true);
button.addEventListener("click", () => { setTogether(!together); if (together) go(views[0], (used || views[0]).at()); });
// Keys work wherever one is; the slider and buttons have some of their own.
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const self = used || views[0], on = event.target;
  const own = on.tagName === "BUTTON" || on.tagName === "SUMMARY" ? [" ", "Enter"] : on.tagName === "INPUT" ? ["ArrowLeft", "ArrowRight", "Home", "End"] : [];
  if (own.includes(event.key)) return;
  const act = {
    ArrowRight: () => go(self, self.at() + 1),
    ArrowLeft: () => go(self, self.at() - 1),
    Home: () => go(self, 0),
    End: () => go(self, Math.max(...(together ? views : [self]).map(v => v.last))),
    " ": toggle,
    n: () => self.cut(1),
    p: () => self.cut(-1),
    w: () => (together ? views : [self]).forEach(v => v.fit()),
  }[event.key];
  if (act) { act(); event.preventDefault(); }
});
window.addEventListener("hashchange", asked);
window.addEventListener("resize", () => views.forEach(v => v.size()));
asked();
