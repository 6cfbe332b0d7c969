// All suits: one that is looked up, and what stands out among all. The book is in parts beside the
// page, and a part is loaded when it is needed. Suits that it does not have are solved by the
// program.

const program = new Program('bridge');
const state = new State(program);
const TOTAL = 10400600; // the weight of all layouts
const RANKS = '23456789TJQKA';
// Published figures that are corrected: number, hands, goal, and percent or average of tricks.
const CORRECTED = [
  [22, 'AK9xx', 'QT', 'average', '4.48'], [72, 'AKxx', 'J98', 4, '8'], [72, 'AKxx', 'J98', 'average', '2.85'],
  [88, 'AK987x', 'Jx', 5, '88'], [89, 'AK98xx', 'Jx', 5, '88'], [89, 'AK98xx', 'Jx', 'average', '5.01'],
  [90, 'AK9xxx', 'Jx', 5, '85'], [90, 'AK9xxx', 'Jx', 'average', '4.96'], [95, 'AK76x', 'J98', 'average', '4.14'],
  [98, 'AKxxx', 'J9x', 'average', '4.01'], [150, 'AQ98x', 'Jx', 4, '71'], [160, 'AQ9x', 'Jxx', 'average', '2.77'],
  ['', 'AT42', '953', 2, '58'],
];

// Loads a script beside the page, once.
const loaded = new Map();
function load(name) {
  if (!loaded.has(name)) {
    loaded.set(name, new Promise((resolve, reject) => {
      document.head.append(element('script', { src: `suits/${name}.js`, load: resolve, error: () => reject(new Refused(`suits/${name}.js is not beside this page.`)) }));
    }));
  }
  return loaded.get(name);
}

// The book.

const bitsOf = (cards) => [...cards.replace('-', '')].reduce((bits, card) => bits | (1 << RANKS.indexOf(card)), 0);
const count = (bits) => bits.toString(2).replaceAll('0', '').length;

// The suit that represents all with the same values: of each run of declarer's cards the highest
// are North's; of that and its exchange of hands, the one whose North is higher.
function classOf(a, b) {
  const inOrder = (north, south) => {
    let [first, second, rank] = [0, 0, 0];
    const held = north | south;
    while (rank < 13) {
      let run = 0;
      while ((held >> (rank + run)) & 1) run++;
      const mask = ((1 << run) - 1) << rank;
      const lower = ((1 << count(south & mask)) - 1) << rank;
      second |= lower;
      first |= mask & ~lower;
      rank += run + 1;
    }
    return [first, second];
  };
  const [one, other] = [inOrder(a, b), inOrder(b, a)];
  return compare(one, other) >= 0 ? one : other;
}

const compare = (a, b) => a[0] - b[0] || a[1] - b[1];
const RECORD = 4 + 14 * 4;

// The numbers of a suit, if the book has it.
async function numbersOf(north, south) {
  const wanted = classOf(bitsOf(north), bitsOf(south));
  let part = BOOK.parts.length - 1;
  while (part >= 0 && compare(BOOK.parts[part], wanted) > 0) part--;
  if (part < 0) return null;
  await load(part);
  const packed = Uint8Array.from(atob(PARTS[part]), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const view = new DataView(await new Response(stream).arrayBuffer());
  let [from, to] = [0, view.byteLength / RECORD];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = middle * RECORD;
    const order = compare([view.getUint16(at, true), view.getUint16(at + 2, true)], wanted);
    if (order === 0) return Array.from({ length: 14 }, (_, place) => view.getUint32(at + 4 + 4 * place, true));
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return null;
}

// A suit.

const goalName = (goal) => (goal === 'average' ? 'the average' : `${goal} trick${goal === 1 ? '' : 's'}`);
const figureOf = (goal, weight) => (goal === 'average' ? (weight / TOTAL).toFixed(4) : percent(weight, TOTAL));
// The best value; after a stop what is reached, and an upper bound where known.
function reached(goal, { numerator, exact, bound }, denominator) {
  const figure = (weight) => figureOf(goal, Math.round((weight / denominator) * TOTAL));
  if (exact) return figure(numerator);
  return bound === undefined ? `at least ${figure(numerator)}` : `${figure(numerator)} to ${figure(bound)}`;
}
const handOf = (id) => byId(id).value.trim().toUpperCase().replaceAll('10', 'T') || '-';
let shown = null; // the suit that is shown, with small cards as the program names them

function refused() {
  byId('answer').hidden = true;
}

function lookUp() {
  const [north, south] = [handOf('north'), handOf('south')];
  Link.write({ n: north, s: south });
  state.ask({ ask: { suit: { north, south } } }, ({ json }) => {
    shown = json;
    show(json);
    return 'The suit is found.';
  }, { refused });
}

async function show(json) {
  byId('answer').hidden = false;
  byId('found').textContent = `${json.north} opposite ${json.south}`;
  const weight = (row) => Math.round((row.numerator / row.denominator) * TOTAL);
  const rows = json.goals.map((row) => [goalName(row.goal), reached(row.goal, row, row.denominator)]);
  byId('chances').replaceChildren(table('The best of each goal', 1, ['goal', 'best'], rows));
  byId('to-suit').replaceChildren(element('a', { href: `suit.html#${new URLSearchParams({ n: json.north, s: json.south })}` }, 'How to play it'));
  const open = json.goals.filter((row) => row.goal !== 'average' && row.numerator > 0 && row.numerator < row.denominator);
  byId('goal').replaceChildren(...json.goals.filter((row) => row.numerator > 0).map((row) => element('option', { value: row.goal }, goalName(row.goal))));
  byId('goal').value = String((open.find((row) => 2 * row.numerator >= row.denominator) ?? open[0] ?? json.goals.at(-1)).goal);
  byId('gap').textContent = '';
  byId('leads').replaceChildren();
  const of = shown;
  const numbers = await numbersOf(json.north, json.south);
  if (of !== shown) return;
  // A search that was stopped says less than the book.
  if (numbers && json.goals.every((row) => row.exact)) {
    const same = json.goals.every((row) => weight(row) === numbers[row.goal === 'average' ? 13 : row.goal - 1]);
    byId('to-suit').append(same ? ' The book says the same.' : ' The book says something else, so one of the two is wrong.');
  }
  // If no goal can be reached, leads do not matter.
  if (byId('goal').options.length > 0) setTimeout(leads);
}

// Each first play with the best that can follow.
function leads() {
  const goal = byId('goal').value;
  const suit = { north: shown.north, south: shown.south, leads: true };
  if (goal === 'average') suit.average = true;
  else suit.tricks = Number(goal);
  state.ask({ ask: { suit } }, ({ json }) => {
    const all = [...(json.leads ?? [])].sort((a, b) => b.numerator - a.numerator);
    const value = (lead) => (lead.numerator / json.denominator) * TOTAL;
    const name = goal === 'average' ? goal : Number(goal);
    byId('gap').textContent = all.length > 1 && all.every((lead) => lead.exact) ? `Between the best and the next: ${figureOf(name, value(all[0]) - value(all[1]))}` : '';
    byId('leads').replaceChildren(table('The best after each first play', 2, ['from', 'card', 'best'],
      all.map((lead) => [lead.from, lead.lead ?? lead.card, reached(name, lead, json.denominator)])));
    return 'The suit is found.';
  });
}

byId('goal').addEventListener('change', leads);
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  lookUp();
});

// What stands out.

function suitButton(north, south) {
  return element('button', { type: 'button', 'aria-label': `Look up ${north} opposite ${south}`, click: () => {
    byId('north').value = north;
    byId('south').value = south;
    lookUp();
    byId('ask').scrollIntoView();
  } }, `${north} – ${south}`);
}

const ofAll = () => `Of all ${BOOK.tables.suits.toLocaleString('en')} suits.`;

function drawTables() {
  const tricks = (weight) => (weight / TOTAL).toFixed(3);
  byId('hardest').replaceChildren(table(`The ten hardest. ${ofAll()}`, 1, ['suit', 'apart', 'one line', 'lost'],
    BOOK.tables.hardest.map((one) => [suitButton(one.north, one.south), tricks(one.separately), tricks(one.together), tricks(one.separately - one.together)])));
  byId('gaps').replaceChildren(table(`The widest gaps between the best first play and the next that looks as good. ${ofAll()}`, 1, ['suit', 'tricks', 'best', 'next', 'gap'],
    BOOK.gaps.suits.map(([north, south, goal, best, next]) => [suitButton(north, south), String(goal), percent(best, TOTAL), percent(next, TOTAL), percent(best - next, TOTAL)])));
  byId('of-goal').replaceChildren(element('option', { value: 'average' }, 'tricks on average'),
    ...Array.from({ length: 13 }, (_, place) => element('option', { value: place + 1 }, `the chance of at least ${goalName(place + 1)}`)));
  drawAverages();
  byId('corrected').replaceChildren(table('Published figures and those of this program', 2, ['number', 'suit', 'for', 'published', 'here'],
    CORRECTED.map(([number, north, south, goal, figure], place) => [String(number), suitButton(north, south), goalName(goal), goal === 'average' ? figure : `${figure}%`, element('span', { id: `here-${place}` }, '…')])));
  byId('whole').textContent = BOOK.whole
    ? `This page has all suits, as ${BOOK.tables.classes.toLocaleString('en')} of which each stands for all that are worth the same, in ${BOOK.parts.length} parts.`
    : `The suits themselves are not in this copy of the site, but for a sample of ${BOOK.suits.toLocaleString('en')}: what you look up is computed on the spot.`;
}

// By honours and length: the average of tricks, or the chance of a number of tricks.
function drawAverages() {
  const { cells } = BOOK.tables;
  const goal = byId('of-goal').value;
  const lengths = [...new Set(cells.map((one) => one.cards))].sort((a, b) => a - b);
  const honours = [...new Set(cells.map((one) => one.honours))].sort((a, b) => many(b) - many(a) || order(a) - order(b));
  const at = new Map(cells.map((one) => [`${one.honours} ${one.cards}`, one]));
  const shown = (one) => {
    if (!one) return '';
    if (goal === 'average') return (one.average / (TOTAL * one.suits)).toFixed(2);
    return one.cards < goal ? '' : percent(one.tricks[goal - 1] ?? 0, TOTAL * one.suits);
  };
  const what = goal === 'average' ? 'Tricks on average' : `The chance of at least ${goalName(Number(goal))}`;
  byId('averages').replaceChildren(table(`${what}, by the number of cards. ${ofAll()}`, 1, ['honours', ...lengths.map(String)],
    honours.map((name) => [name, ...lengths.map((cards) => shown(at.get(`${name} ${cards}`)))])));
}
byId('of-goal').addEventListener('change', drawAverages);

const many = (name) => (name === 'none' ? 0 : name.length);
const order = (name) => (name === 'none' ? 99 : [...name].reduce((sum, rank) => sum - (1 << RANKS.indexOf(rank)), 0));

// Asks the program about the suits of the list, one after the other.
async function compareFigures() {
  const asked = new Program('bridge');
  const known = new Map();
  for (const [place, [, north, south, goal]] of CORRECTED.entries()) {
    const suit = `${north} ${south}`;
    if (!known.has(suit)) known.set(suit, (await asked.ask({ ask: { suit: { north, south } } })).json.goals);
    const row = known.get(suit).find((row) => row.goal === goal);
    byId(`here-${place}`).textContent = reached(goal, row, row.denominator);
  }
}

function follow() {
  const start = Link.read();
  byId('north').value = start.n ?? 'AQT98';
  byId('south').value = start.s ?? '5432';
  const wrong = Link.fillAll(start, {}, ['n', 's']);
  state.follow(start, wrong, lookUp, refused);
}

load('index').then(() => {
  drawTables();
  Link.follow(follow);
  follow();
  return compareFigures();
}).catch((error) => {
  if (!(error instanceof Refused)) throw error;
  state.refuse(error.message);
});
