// An attack tree: what attacks cost, which of them no other betters, and what defences leave.

const program = new Program('faults');
const state = new State(program);
let attributes = []; // the names of the attributes of the tree
let chosen = null; // those of the front, once the user has chosen
let linked = null; // the link that has chosen them
const NONE = '-'; // an empty front, in a link
const FIELDS = ['gate', 'rules', 'defences', 'budget', 'cheapest'];

const refused = () => { byId('answer').hidden = true; };
const input = new Input(byId('text'), ask, (sentence) => state.refuse(sentence));
whenChanged(byId('options'), ask);
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});

const listed = (text) => text.split(',').map((part) => part.trim()).filter((part) => part);

function common(names) {
  const asked = { name: names[0][0], attribute: listed(byId('rules').value) };
  if (byId('gate').value.trim()) asked.top = byId('gate').value.trim();
  return asked;
}

// Asks first for the attributes of the tree, and then the whole question.
function ask() {
  if (!isAskable(input, state, refused)) return;
  const { names, all } = input.bytes();
  const cheapest = byId('cheapest').value;
  Link.write({
    text: input.linked(), gate: byId('gate').value, rules: byId('rules').value, front: chosen && (chosen.join() || NONE), defences: byId('defences').checked && 'yes',
    budget: byId('budget').value, cheapest: cheapest === byId('cheapest').defaultValue ? '' : cheapest || '0',
  });
  state.ask({ ask: { attacks: { ...common(names), attributes: true } } }, ({ text }) => {
    const more = moreOf(text);
    know(more);
    queueMicrotask(() => answer(names, all, more));
    return '';
  }, { file: all, refused });
}

function know(more) {
  const names = more.attributes.map(([name]) => name);
  const link = linked;
  [attributes, linked] = [names, null];
  if (chosen && !chosen.every((name) => names.includes(name))) {
    chosen = null;
    if (link) throw new Refused(Link.unshown(link, 'front'));
  }
  const front = frontOf(more);
  byId('attributes').hidden = names.length === 0;
  byId('attributes').replaceChildren('The front of ', ...more.attributes.map(([name, rule]) => element('label', {},
    element('input', { type: 'checkbox', value: name, checked: front.includes(name), change: () => { chosen = [...byId('attributes').querySelectorAll(':checked')].map((box) => box.value); } }),
    ` ${name} (${rule})`)));
  for (const id of ['defences', 'budget']) byId(id).disabled = !more.defences;
}

// The default front: a sum against a product, or else the first two attributes.
function frontOf(more) {
  if (chosen) return chosen;
  const first = more.attributes.find(([, rule]) => rule === 'sum') ?? more.attributes[0];
  if (!first) return [];
  const others = more.attributes.filter((other) => other !== first);
  const second = others.find(([, rule]) => rule === 'product') ?? others[0];
  return second ? [first[0], second[0]] : [];
}

function answer(names, all, more) {
  const front = frontOf(more);
  const defences = byId('defences').checked && more.defences;
  const asked = { ...common(names), pareto: front };
  if (defences) asked.defences = true;
  if (numberIn('budget') !== undefined && more.defences) asked.budget = numberIn('budget');
  const cheapest = numberIn('cheapest') ?? 0;
  if (cheapest > 0 && attributes.length > 0) asked.cheapest = cheapest;
  state.ask({ ask: { attacks: { ...asked, page: true } } }, ({ text, json }) => {
    show(text, json, asked, all);
    return `${json.count ?? 'An unknown number of'} minimal attacks.`;
  }, { file: all, refused });
}

function show(text, json, asked, all) {
  const { page } = moreOf(text);
  byId('answer').hidden = false;
  byId('figure').textContent = summary(json);
  const cheapest = json.attacks ?? [];
  const frame = framed(page, 'The answer as a page', true);
  const keep = (label, name, made, type) => element('button', { type: 'button', click: () => save(name, made, type) }, label);
  const csv = (label, name, of) => element('button', { type: 'button', click: () => saveTable(name, { ...asked, ...of }, all) }, label);
  byId('exports').replaceChildren(
    keep('JSON', 'attacks.json', lineOfAnswer(text), 'application/json'),
    ...(json.front ? [csv('CSV: the front', 'front.csv', { defences: false, cheapest: undefined })] : []),
    ...(asked.defences ? [csv('CSV: what defences leave', 'defences.csv', { pareto: [] })] : []),
    csv('CSV: the attacks', 'attacks.csv', { pareto: [], defences: false, cheapest: undefined, list: true }),
    keep('Page', 'attacks.html', page, 'text/html'));
  pictureButtons(frame, byId('exports'));
  byId('page').replaceChildren(frame, ...(cheapest.length > 0 ? [
    table('The cheapest attacks', 1, ['attack', ...attributes],
      cheapest.map((one) => [one.attack.join(', '), ...attributes.map((name) => String(one.values[name] ?? ''))])),
  ] : []));
}

// The summary: the best of each attribute, and the best defences for the budget.
function summary(json) {
  // After a limit, the best is what was reached, and there may be better up to a bound.
  const bounds = json.best_is_no_better_than ?? {};
  const word = (name, value) => (name in bounds && bounds[name] !== value ? `${name} ${value ?? 'not known'}, with none better than ${bounds[name]}` : `best ${name} ${value ?? 'none'}`);
  const parts = Object.entries(json.best ?? {}).map(([name, value]) => word(name, value));
  if (typeof json.probability === 'number') parts.push(`whoever tries everything succeeds with ${json.probability}`);
  const bought = json.within_budget;
  if (bought) parts.push(`for ${json.budget} the best defences are ${bought.defences.join(', ') || 'none'}`);
  return parts.length > 0 ? `${parts.join('; ')}.` : '';
}

function saveTable(name, asked, all) {
  state.ask({ ask: { attacks: { ...asked, csv: true } }, mebibytes: 512 }, ({ text }) => {
    const { csv } = moreOf(text);
    save(name, csv, 'text/csv');
    return `${csv.split('\n').length - 1} lines were saved.`;
  }, { file: all });
}

function load() {
  const start = Link.read();
  byId('ask').reset();
  const wrong = Link.fillAll(start, Object.fromEntries(FIELDS.map((id) => [id, [id]])), ['text', 'front']);
  chosen = start.front === undefined ? null : listed(start.front).filter((name) => name !== NONE);
  linked = chosen && start;
  input.follow(start, wrong, state, refused);
}
Link.follow(load);
load();
