const told = (id) => { const data = document.getElementById(id); return data && JSON.parse(data.textContent); };

// Sets: those that have all words of the field.
const field = document.getElementById("search");
if (field) {
  const lines = [...document.querySelectorAll("#set-list li")];
  const texts = lines.map((line) => line.textContent.toLowerCase());
  const found = document.getElementById("found");
  document.getElementById("searching").hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    let count = 0;
    lines.forEach((line, place) => {
      line.hidden = !words.every((word) => texts[place].includes(word));
      count += line.hidden ? 0 : 1;
    });
    found.textContent = words.length ? `${count} of ${lines.length} sets` : "";
  });
}

// Bars: the events by the measure that is chosen.
const measure = document.getElementById("measure");
if (measure) {
  const list = document.getElementById("bars");
  const lines = [...list.children].map((line) => [line, JSON.parse(line.dataset.of)]);
  document.getElementById("measuring").hidden = false;
  measure.addEventListener("change", () => {
    const of = (values) => values[measure.selectedIndex];
    const most = Math.max(...lines.map(([, values]) => Math.abs(of(values) ?? 0)));
    lines.sort(([, a], [, b]) => (of(b) ?? -Infinity) - (of(a) ?? -Infinity) || 0);
    for (const [line, values] of lines) {
      const value = of(values), bar = line.querySelector(".bar");
      bar.style.width = `${value && most ? (100 * Math.abs(value)) / most : 0}%`;
      bar.classList.toggle("below", value < 0);
      line.querySelector(".number").textContent = value == null ? "-" : value.toExponential(4).replace("e+", "e");
      list.append(line);
    }
  });
}

// The tree: a line for each gate and event that is to be seen, below the gate that leads to it.
const tree = told("tree-data");
if (tree) {
  const GATE = 0, EVENT = 1, CONSTANT = 2, MORE = 3;
  const HIGH = 34, STEP = 30, MOST = 2000;
  const { ink, mark, paper, soft } = tree.shapes;
  const place = document.getElementById("tree"), says = document.getElementById("tree-says");
  const make = (tag, given, parent, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };
  const node = ([kind, of], above) => ({ kind, of, above, depth: above ? above.depth + 1 : 0, open: false, below: null });
  const gate = (item) => (item.kind === GATE ? tree.gates[item.of] : null);
  const below = (item) => {
    const own = gate(item);
    if (!own) return [];
    if (!item.below) {
      item.below = own.of.map((argument) => node(argument, item));
      if (own.more) item.below.push(node([MORE, own.more], item));
    }
    return item.below;
  };
  const top = node(tree.top, null);
  const shown = () => {
    const items = [], stack = [top];
    while (stack.length) {
      const item = stack.pop();
      items.push(item);
      if (item.open) stack.push(...below(item).slice().reverse());
    }
    return items;
  };
  const name = (item) => {
    if (item.kind === GATE) return gate(item).name ?? "(no name)";
    if (item.kind === EVENT) return tree.events[item.of][0];
    return item.kind === CONSTANT ? (item.of ? "true" : "false") : `${item.of} more, which the page leaves out`;
  };
  const what = (item) => {
    const own = gate(item);
    if (own) return own.kind + (own.uses > 1 ? `, used ${own.uses} times` : "");
    if (item.kind !== EVENT) return "";
    const p = tree.events[item.of][1];
    return p == null ? "" : p.toExponential(4).replace("e+", "e");
  };
  const symbol = (item, row) => {
    const own = gate(item);
    const look = { fill: item.open ? paper : soft, stroke: ink, "stroke-width": 1.4 };
    const inside = { dy: "0.35em", "font-size": 11, "font-weight": 600, "text-anchor": "middle" };
    if (item.kind === EVENT) return make("circle", { ...look, r: 9 }, row);
    if (item.kind === MORE) return make("text", inside, row, "…");
    if (item.kind === CONSTANT) return make("path", { ...look, d: tree.shapes.house }, row);
    const [shape, sign, negated] = {
      and: ["and"], nand: ["and", "", true], or: ["or"], nor: ["or", "", true], xor: ["or", "="], not: ["not", "", true],
    }[own.kind] ?? ["vote", own.kind.split(" ")[0]];
    make("path", { ...look, d: tree.shapes[shape] }, row);
    if (negated) make("circle", { ...look, cy: -12, r: 2.5 }, row);
    if (sign) make("text", { ...inside, y: 1 }, row, sign === "=" ? "x" : sign);
  };
  let current = top;
  const draw = (focus) => {
    const items = shown(), rows = new Map();
    const svg = make("svg", { role: "tree", "aria-label": "The fault tree" });
    make("rect", { width: "100%", height: "100%", fill: paper }, svg);
    const drawing = make("g", { fill: ink, "font-family": "system-ui, sans-serif", "font-size": 15 }, svg);
    const links = make("g", { fill: "none", stroke: ink, "stroke-opacity": 0.55, "stroke-width": 1.2 }, drawing);
    if (!items.includes(current)) current = top;
    items.forEach((item, at) => {
      const x = 34 + STEP * item.depth, y = HIGH * (at + 0.5);
      const own = gate(item), expands = own && (own.of.length || own.more);
      const given = { class: `row ${own ? "gate" : "event"} ${item.open ? "open" : ""}`, role: "treeitem", transform: `translate(${x} ${y})`,
        tabindex: item === current ? 0 : -1, "aria-level": item.depth + 1, "aria-label": [name(item), what(item)].filter(Boolean).join(", ") };
      if (expands) given["aria-expanded"] = item.open;
      const row = make("g", given, drawing);
      const back = make("rect", { class: "back", "fill-opacity": 0, x: -32, y: -HIGH / 2 + 1, height: HIGH - 2, rx: 4 }, row);
      if (expands) make("path", { fill: mark, d: item.open ? "M-28 -3H-18L-23 5Z" : "M-26 -5V5L-18 0Z" }, row);
      const drawn = make("g", { "aria-hidden": true }, row);
      symbol(item, drawn);
      const text = make("text", { x: 18, dy: "0.35em" }, row);
      make("tspan", {}, text, name(item));
      if (what(item)) make("tspan", { "fill-opacity": 0.75, "font-size": 13, dx: 8 }, text, what(item));
      if (item.above) make("path", { d: `M${x - STEP} ${rows.get(item.above).y + 12}V${y}H${x - (expands ? 27 : 12)}` }, links);
      row.addEventListener("click", () => { current = item; toggle(item); });
      row.addEventListener("keydown", (event) => key(event, item, items, at));
      rows.set(item, { row, y, back, text });
    });
    place.replaceChildren(svg);
    let width = 0;
    for (const [item, { back, text }] of rows) {
      const long = text.getBBox().width + 18 + 32 + 8;
      back.setAttribute("width", long);
      width = Math.max(width, 2 + STEP * item.depth + long + 4);
    }
    const high = HIGH * items.length;
    for (const [key, value] of Object.entries({ width, height: high, viewBox: `0 0 ${width} ${high}` })) svg.setAttribute(key, value);
    if (focus) rows.get(current).row.focus();
  };
  const toggle = (item) => { if (gate(item)) item.open = !item.open; draw(true); };
  const key = (event, item, items, at) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const go = (to) => { if (to) { current = to; draw(true); } };
    const opens = gate(item);
    const acts = {
      ArrowDown: () => go(items[at + 1]), ArrowUp: () => go(items[at - 1]), Home: () => go(items[0]), End: () => go(items[items.length - 1]),
      ArrowRight: () => (opens && !item.open ? toggle(item) : go(below(item)[0])),
      ArrowLeft: () => (item.open ? toggle(item) : go(item.above)),
      Enter: () => toggle(item), " ": () => toggle(item),
    };
    if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
  };
  // Opens from the top down, as long as there are not too many lines.
  const open = (most) => {
    let lines = 1, all = true;
    const next = [top];
    for (let at = 0; at < next.length; at++) {
      const arguments_ = below(next[at]);
      next[at].open = gate(next[at]) !== null && lines + arguments_.length <= most;
      if (next[at].open) { lines += arguments_.length; next.push(...arguments_); }
      else all = all && !arguments_.length;
    }
    return all;
  };
  const close = () => { for (const item of shown()) item.open = false; };
  document.getElementById("tree-open").addEventListener("click", () => {
    says.textContent = open(MOST) ? "" : `Some gates stay closed, for there would be more than ${MOST} lines.`;
    draw(false);
  });
  document.getElementById("tree-close").addEventListener("click", () => { close(); says.textContent = ""; draw(false); });
  document.getElementById("tree-controls").hidden = false;
  open(24);
  draw(false);
}
