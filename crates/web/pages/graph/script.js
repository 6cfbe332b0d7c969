// A small graph: its value, the search step by step, strategies, and why the value is true.

const program = new Program('solve');
const state = new State(program);
const LATTICES = [
  ['false and true', { type: 'bool' }, false],
  ['whole numbers', { type: 'chain' }, 0],
  ['numbers 0 to 4', { type: 'chain', lo: 0, hi: 4 }, 0],
  ['sets of 3 worlds', { type: 'powerset', v: 3 }, []],
  ['sets of 4 worlds', { type: 'powerset', v: 4 }, []],
  ['families of sets of 3 worlds', { type: 'families', v: 3 }, []],
  ['divisors of 60', { type: 'divisors', n: 60 }, 1],
  ['pairs of numbers 0 to 3', { type: 'product', of: [{ type: 'chain', lo: 0, hi: 3 }, { type: 'chain', lo: 0, hi: 3 }] }, [0, 0]],
];
let answered = null; // the last answer

const refused = () => { byId('answer').hidden = true; };
const input = new Input(byId('text'), ask, (sentence) => state.refuse(sentence));
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});
for (const id of ['algorithm', 'beside']) byId(id).addEventListener('change', ask);

function ask() {
  if (!isAskable(input, state, refused)) return;
  const { all } = input.bytes();
  const algorithm = byId('algorithm').value;
  const beside = byId('beside').value;
  Link.write({ text: input.linked(6000), algorithm: algorithm !== byId('algorithm').options[0].value && algorithm, beside });
  const graph = { algorithm, moves: true, trace: beside ? [algorithm, beside] : [algorithm], strategies: true, certificate: true, drawings: true };
  state.ask({ ask: { graph } }, ({ text, json }) => {
    show(text, json);
    return 'The graph is searched.';
  }, { file: all, refused });
}

const shownValue = (value) => (typeof value === 'string' ? value.replace(EXACT, '') : unparsed(value));
const valueOf = (found) => (found.exact ? shownValue(found.value) : `${shownValue(found.lower)} to ${shownValue(found.upper)}`);

function show(text, json) {
  const more = moreOf(text);
  answered = lineOfAnswer(text);
  byId('answer').hidden = false;
  byId('value').textContent = valueOf(json);
  byId('effort').textContent = `${json.stats.visits} visits, ${json.stats.leaves} of them to leaves, ${json.stats.cutoffs} cuts`;
  byId('moves').replaceChildren(...(json.moves?.length > 0 ? [table('What each child of the root is worth', 1, ['child', 'value'], json.moves.map((move) => [shownValue(move.child), valueOf(move)]))] : []));
  picture('drawing', more.graph, 'The graph');
  picture('hasse', more.lattice, 'The lattice, each element above those that it covers');
  byId('trace').replaceChildren(more.trace.text ? framed(more.trace.text[0], 'The search, step by step', true) : element('p', {}, more.trace.sentence));
  byId('plans').replaceChildren(...plan('MAX', more.strategy), ...plan('MIN', more.refutation));
  byId('proof').value = more.certificate.text ? more.certificate.text[0] : '';
  byId('checked').textContent = more.certificate.text ? more.certificate.text[1] : more.certificate.sentence;
}

// A drawing that the program made, with what it leaves out, and a button that keeps it.
function drawn(written, caption) {
  if (!written.text) return [element('p', {}, written.sentence)];
  const [svg, left] = written.text;
  const figure = element('figure', { class: 'drawn' });
  figure.innerHTML = svg;
  const name = caption.toLowerCase().split(/\W+/).slice(0, 3).join('-');
  return [
    element('p', { class: 'caption' }, caption), figure,
    ...(left ? [element('p', { class: 'quiet' }, left)] : []),
    element('button', { type: 'button', click: () => save(`${name}.svg`, svg, 'image/svg+xml') }, `SVG: ${caption.split(',')[0]}`),
  ];
}

function picture(id, written, caption) {
  byId(id).replaceChildren(...drawn(written, caption));
}

function plan(player, written) {
  const head = element('h3', {}, player);
  if (!written.text) return [head, element('p', {}, written.sentence)];
  const [svg, words] = written.text;
  return [head, element('pre', { class: 'plan' }, words), ...(svg ? drawn({ text: [svg, ''] }, `${player}'s strategy`) : [])];
}

// The certificate.

byId('check').addEventListener('click', () => {
  const { all } = input.bytes();
  state.ask({ ask: { verify: { certificate: byId('proof').value } } }, ({ json }) => {
    byId('checked').textContent = `verified: ${json.steps} steps; the value is ${json.exact ? shownValue(json.lower) : `${shownValue(json.lower)} to ${shownValue(json.upper)}`}`;
    return 'The certificate is right.';
  }, {
    file: all,
    refused: () => { byId('checked').textContent = 'The certificate is not accepted.'; },
    stopped: () => { byId('checked').textContent = 'The certificate was not checked to its end.'; },
  });
});
byId('keep-proof').addEventListener('click', () => save('certificate.jsonl', byId('proof').value, 'application/json'));
byId('keep-answer').addEventListener('click', () => save('answer.json', answered, 'application/json'));

// Edits of the problem file.

// Numbers that JavaScript would change (too many digits, or the `.0` of a decimal) stay as they are
// written.
const asWritten = (text) => parsed(text, (token) => String(Number(token)) !== token);

function edited(change) {
  let problem;
  try {
    // Edits the current input; a dropped file becomes text.
    problem = asWritten(new TextDecoder().decode(input.bytes().all).trim() || '{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"nodes":[]}');
  } catch (error) {
    state.refuse(`The text is no JSON, so nothing can be put into it: ${error.message}`);
    return;
  }
  if (!Array.isArray(problem?.nodes) || !problem.nodes.every((node) => node instanceof Object)) {
    state.refuse('The text has no list of nodes, so nothing can be put into it.');
    return;
  }
  if (change(problem) === false) return;
  if (problem.nodes.length > 0 && !problem.nodes.some((node) => node.id === problem.root)) problem.root = problem.nodes[0].id;
  input.set(written(problem));
}

// One node a line, as files in the book are written.
function written({ nodes, ...others }) {
  const keys = Object.entries(others).map(([key, value]) => `${JSON.stringify(key)}: ${unparsed(value)}`);
  const lines = nodes.map((node) => `   ${unparsed(node)}`);
  return `{${keys.join(',\n ')},\n "nodes": [\n${lines.join(',\n')}]}\n`;
}

byId('kind').addEventListener('change', () => {
  byId('content-word').textContent = byId('kind').value === 'leaf' ? 'worth' : 'of the children';
});

const isNumber = (id) => typeof id === 'number' || (typeof id === 'string' && id.startsWith(EXACT));

// A name is a number if it is written as one and the graph's names are numbers.
function nameIn(problem, text) {
  return problem.nodes.some((node) => isNumber(node.id)) && /^(0|-?[1-9]\d*)$/.test(text) ? asWritten(text) : text;
}

byId('add').addEventListener('click', () => edited((problem) => {
  const id = nameIn(problem, byId('node').value.trim());
  const content = byId('content').value.trim();
  if (id === '' || content === '') {
    state.refuse('A node has a name, and children or a value.');
    return false;
  }
  const node = { id, kind: byId('kind').value };
  if (node.kind === 'leaf') {
    try {
      node.value = asWritten(content);
    } catch {
      node.value = content;
    }
  } else node.children = content.split(',').map((name) => nameIn(problem, name.trim()));
  const place = problem.nodes.findIndex((other) => other.id === id);
  if (place >= 0) problem.nodes[place] = node;
  else problem.nodes.push(node);
  return true;
}));

byId('remove').addEventListener('click', () => edited((problem) => {
  const id = nameIn(problem, byId('node').value.trim());
  if (!problem.nodes.some((node) => node.id === id)) {
    state.refuse(`There is no node ${unparsed(id)}.`);
    return false;
  }
  problem.nodes = problem.nodes.filter((node) => node.id !== id);
  return true;
}));

byId('lattice').append(element('option', { value: '' }, 'that of the file'), ...LATTICES.map(([name], place) => element('option', { value: place }, name)));
byId('lattice').addEventListener('change', () => {
  const choice = LATTICES[byId('lattice').value];
  if (!choice) return;
  // Values of the old lattice may not be elements of the new one: leaves become its bottom.
  edited((problem) => {
    problem.lattice = choice[1];
    delete problem.worlds;
    for (const node of problem.nodes) {
      if (node.kind === 'leaf') node.value = choice[2];
      delete node.lower;
      delete node.upper;
    }
    return true;
  });
  byId('lattice').value = '';
});

// The fragment of the address holds the question, so links within the page must not change it.
byId('steps-skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('strategies').scrollIntoView();
  byId('strategies').focus({ preventScroll: true });
});

function load() {
  const start = Link.read();
  const lists = [byId('algorithm'), byId('beside')];
  for (const list of lists) list.selectedIndex = 0;
  const wrong = Link.fillAll(start, { algorithm: ['algorithm'], beside: ['beside'] }, ['text']);
  for (const list of lists) list.selectedIndex = Math.max(list.selectedIndex, 0);
  input.follow(start, wrong, state, refused);
}

// Loads the algorithms, and then the question of the link.
(async () => {
  const { json } = await program.ask({ ask: { algorithms: {} } });
  const option = ([id, name]) => element('option', { value: id }, `${name} (${id})`);
  const first = json.findIndex(([id]) => id === 'alpha-beta-duo');
  const sorted = first > 0 ? [json[first], ...json.filter((_, place) => place !== first)] : json;
  byId('algorithm').append(...sorted.map(option));
  byId('beside').append(element('option', { value: '' }, 'none'), ...sorted.map(option));
  Link.follow(load);
  // The user may have entered something meanwhile.
  if (input.isEmpty()) load();
})().catch((error) => { if (!(error instanceof Called)) state.refuse(error.message); });
