// An ending: who has which card, the chance, and the line that is played card by card.

const program = new Program('bridge');
const state = new State(program);
const SEATS = 'NESW';
const SEAT_NAMES = { N: 'North', E: 'East', S: 'South', W: 'West' };
const PLACES = { North: 'north', East: 'east', South: 'south', West: 'west' };
const SUITS = 'SHDC';
const EXAMPLE = '[Deal "N:AJ2.A.. Q98.3.. KT3.2.. 765.4.."]\n[Declarer "S"]\n[Contract "3NT"]\n';
const MOST_LETTERS = 100000;
const OTHERS = 3; // seconds that each other goal is searched for
const SHOWN = 24; // ways to deal that are listed
let found = null;
let play = null;

// The deal: its text, and what it says as far as the page has to know.

// Comments, lines that begin with a percent sign, blank lines, and tags.
const PIECES = /\{[^}]*\}|;.*|^[^\S\n]*%.*|\n[^\S\n]*(?=\n)|\[([^"\n]*)"([^"\n]*)"\s*\]/gm;

// The tags of the first game that has a deal, and where they stand: as the program reads them.
function tags(text) {
  let game = [];
  for (const { 0: whole, 1: name, 2: value, index } of text.matchAll(PIECES)) {
    if (name !== undefined) game.push({ name: name.trim(), value, begin: index, end: index + whole.length });
    else if (!whole.trim()) {
      if (game.some((one) => one.name === 'Deal')) break;
      game = [];
    }
  }
  return game;
}

const tag = (text, name) => tags(text).find((one) => one.name === name)?.value ?? '';

// The hands of a deal that makes sense; the program says what is wrong with others.
function handsOf(text) {
  const hands = { N: [], E: [], S: [], W: [] };
  const [, first, rest] = /^\s*([NESW])\s*:(.*)$/s.exec(tag(text, 'Deal').toUpperCase().replaceAll('10', 'T')) ?? [];
  if (!first) return hands;
  rest.trim().split(/\s+/).slice(0, 4).forEach((hand, place) => {
    const seat = SEATS[(SEATS.indexOf(first) + place) % 4];
    hand.split('.').slice(0, 4).forEach((ranks, suit) => {
      for (const rank of ranks) if (RANKS.includes(rank)) hands[seat].push(SUITS[suit] + rank);
    });
  });
  return hands;
}

const textOfHand = (cards) => (cards.length === 0 ? '-' : [...SUITS].map((suit) => [...RANKS].filter((rank) => cards.includes(suit + rank)).join('')).join('.'));

function withDeal(text, hands) {
  const deal = `[Deal "N:${[...SEATS].map((seat) => textOfHand(hands[seat])).join(' ')}"]`;
  const { begin, end } = tags(text).find((one) => one.name === 'Deal') ?? {};
  return end ? text.slice(0, begin) + deal + text.slice(end) : `${deal}\n${text}`;
}

const declarer = () => byId('declarer').value || /^\^*([NESW])$/.exec(tag(byId('deal').value, 'Declarer').toUpperCase())?.[1] || '';
const partner = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];
const after = (seat) => SEATS[(SEATS.indexOf(seat) + 1) % 4];

function drawDeck() {
  const hands = handsOf(byId('deal').value);
  const holder = (card) => [...SEATS].find((seat) => hands[seat].includes(card)) ?? '';
  const put = (card) => {
    const seat = document.querySelector('input[name=seat]:checked').value;
    const had = holder(card);
    if (had) hands[had] = hands[had].filter((other) => other !== card);
    if (had !== seat) hands[seat].push(card);
    byId('deal').value = withDeal(byId('deal').value, hands);
    ask();
  };
  const rows = [...SUITS].flatMap((suit) => [
    element('span', { 'aria-label': SUIT_NAMES[suit] }, SUIT_SIGNS[suit]),
    ...[...RANKS].map((rank) => {
      const card = suit + rank;
      const seat = holder(card);
      return element('button', {
        type: 'button', 'aria-pressed': String(Boolean(seat)), 'data-card': card,
        'aria-label': saidCard(card), title: seat ? SEAT_NAMES[seat] : 'nobody',
        'aria-description': seat ? SEAT_NAMES[seat] : 'nobody',
        click: () => put(card),
      }, rank === 'T' ? '10' : rank, element('small', {}, seat));
    }),
  ]);
  redraw(byId('deck'), ...rows);
}

// How many cards of each suit the defender before dummy has.

function drawLengths() {
  byId('lengths').replaceChildren(...[...SUITS].map((suit) => {
    const range = (id, value) => element('input', { type: 'range', id: `${id}-${suit}`, min: 0, max: 13, value, input: ask });
    const shown = (id, value) => element('span', { id: `shown-${id}-${suit}` }, value);
    return element('p', { id: `lengths-${suit}` },
      element('label', {}, 'at least ', shown('least', '0'), ` ${SUIT_NAMES[suit]} `, range('least', 0)),
      element('label', {}, 'at most ', shown('most', '13'), ` ${SUIT_NAMES[suit]} `, range('most', 13)));
  }));
}

// The fields of suits that the defenders have.
function showLengths(hands) {
  const own = declarer() || 'S';
  const before = after(own);
  const unseen = [...hands[before], ...hands[after(partner(own))]];
  byId('before').textContent = SEAT_NAMES[before];
  for (const suit of SUITS) {
    byId(`lengths-${suit}`).hidden = !unseen.some((card) => suitOf(card) === suit);
    for (const which of ['least', 'most']) byId(`shown-${which}-${suit}`).textContent = byId(`${which}-${suit}`).value;
  }
}

function lengths() {
  return [...SUITS].map((suit) => [suit, ['least', 'most'].map((which) => Number(byId(`${which}-${suit}`).value))])
    .filter(([, [least, most]]) => least > 0 || most < 13);
}

// The question.

function question(tricks) {
  return {
    deal: byId('deal').value, declarer: byId('declarer').value, leader: byId('leader').value,
    trumps: byId('trumps').value, tricks, lengths: lengths(), table: true,
  };
}

function link() {
  const asked = question(Number(byId('tricks').value));
  Link.write({
    deal: asked.deal, tricks: asked.tricks, by: asked.declarer, lead: asked.leader, trumps: asked.trumps,
    known: asked.lengths.map(([suit, [least, most]]) => `${suit}${least}-${most}`).join(),
  });
}

function draw() {
  drawDeck();
  const hands = handsOf(byId('deal').value);
  // The program says what is wrong with a deal without cards.
  const left = (hands[declarer()] ?? hands.S).length || 13;
  byId('tricks').max = Math.min(left, 13);
  byId('tricks-shown').textContent = byId('tricks').value;
  showLengths(hands);
}

function refused() {
  found = null;
  byId('answer').hidden = true;
}

function ask() {
  draw();
  link();
  const tricks = Number(byId('tricks').value);
  return state.ask({ ask: { ending: question(tricks) } }, ({ text, json, isComplete }) => {
    found = { ...json, table: moreOf(text) };
    byId('answer').hidden = false;
    drawFigure();
    goals = { [tricks]: json };
    drawGoals();
    begin();
    if (isComplete) setTimeout(() => askOthers(tricks));
    return `${json.worlds} ways to deal the defenders' cards.`;
  }, { refused, words: ({ least, most, all }) => `chance ${percent(least, all)} to ${percent(most, all)}` });
}

// The other goals, one after the other, until something else is asked.
let goals = {};
async function askOthers(tricks) {
  const mine = goals;
  for (let other = found.left; other > 0; other--) {
    if (goals !== mine) return;
    if (other === tricks) continue;
    try {
      const { json } = await program.ask({ ask: { ending: question(other) }, seconds: OTHERS });
      if (goals !== mine) return;
      mine[other] = json;
      drawGoals();
    } catch (error) {
      // Something else is asked now, and reports its own errors.
      return;
    }
  }
}

const chanceOf = (json) => {
  const reached = percent(json.numerator, json.denominator);
  return json.exact ? reached : `${reached} to ${percent(json.bound, json.denominator)}`;
};
const goalName = (goal) => `${goal} trick${goal === 1 ? '' : 's'}`;

function drawFigure() {
  byId('figure').replaceChildren(element('span', { class: 'big' }, chanceOf(found)), ` for ${goalName(found.goal)} of ${found.left}`,
    element('span', { class: 'quiet' }, ` (${found.numerator} of ${found.denominator} ways to deal the cards)`));
}

function drawGoals() {
  const all = Object.values(goals).sort((a, b) => b.goal - a.goal);
  const choose = (goal) => {
    byId('tricks').value = goal;
    ask();
  };
  const rows = all.map((json) => [
    element('button', { type: 'button', 'aria-pressed': String(json.goal === found.goal), 'aria-label': `Play for ${goalName(json.goal)}`, click: () => choose(json.goal) }, goalName(json.goal)),
    chanceOf(json), `${json.numerator}/${json.denominator}`, json.all_cards_seen === null ? 'not known' : percent(json.all_cards_seen, json.denominator),
  ]);
  const shown = table('The best for each goal', 1, ['at least', 'best chance', 'exactly', 'with all cards seen'], rows);
  shown.querySelectorAll('tbody tr').forEach((row, place) => row.classList.toggle('chosen', all[place].goal === found.goal));
  redraw(byId('goals'), shown);
}

// The play: the line is a list of nodes; a node says whose turn it is and what follows each card.

function begin() {
  if (!found.line) {
    play = null;
    drawPlay();
    return;
  }
  // As the program has read the deal.
  const { hands, declarer: seat } = found.table;
  const before = after(seat); // the defender before dummy
  const other = after(partner(seat));
  play = {
    own: [seat, partner(seat)], before, other,
    held: { [seat]: hands[seat], [partner(seat)]: hands[partner(seat)] },
    unseen: [...hands[before], ...hands[other]],
    played: { [before]: [], [other]: [] },
    out: { [before]: '', [other]: '' },
    node: 0, trick: [], last: [], tricks: 0, lost: 0, story: [], past: [],
  };
  play.ways = ways(play);
  forward(play);
  drawPlay();
}

// All ways to deal the unseen cards that agree with what is known: hands of the defender before
// dummy, by doubling the list with each card.
function ways({ unseen }) {
  const size = unseen.length / 2;
  const limits = lengths();
  let all = [[]];
  unseen.forEach((card, place) => {
    const rest = unseen.length - place - 1;
    const grown = [];
    for (const hand of all) {
      if (hand.length + rest >= size) grown.push(hand);
      if (hand.length < size) grown.push([...hand, card]);
    }
    all = grown;
  });
  return all.filter((hand) => hand.length === size && limits.every(([suit, [least, most]]) => {
    const count = hand.filter((card) => suitOf(card) === suit).length;
    return count >= least && count <= most;
  }));
}

const agrees = (at) => (hand) => {
  const fits = (cards, seat) => at.played[seat].every((card) => cards.includes(card))
    && cards.every((card) => !at.out[seat].includes(suitOf(card)) || at.played[seat].includes(card));
  return fits(hand, at.before) && fits(at.unseen.filter((card) => !hand.includes(card)), at.other);
};

const seatOf = (turn) => turn[0];

function forward(at) {
  while (at.node !== null) {
    const node = found.line[at.node];
    if (!at.own.includes(seatOf(node.turn))) return;
    put(at, seatOf(node.turn), node.next[0]);
  }
}

function put(at, seat, [card, next]) {
  const led = at.trick[0];
  if (seat in at.held) at.held = { ...at.held, [seat]: at.held[seat].filter((other) => other !== card) };
  else {
    at.played = { ...at.played, [seat]: [...at.played[seat], card] };
    if (led && suitOf(led.card) !== suitOf(card)) at.out = { ...at.out, [seat]: at.out[seat] + suitOf(led.card) };
  }
  at.trick = [...at.trick, { seat, card }];
  at.node = next;
  if (at.trick.length < 4) return;
  const strength = ({ card }) => (suitOf(card) === found.table.trumps ? 100 : suitOf(card) === suitOf(at.trick[0].card) ? 50 : 0) - RANKS.indexOf(rankOf(card));
  const winner = at.trick.reduce((best, one) => (strength(one) > strength(best) ? one : best)).seat;
  if (at.own.includes(winner)) at.tricks++;
  else at.lost++;
  at.story = [...at.story, `${at.trick.map(({ seat, card }) => `${SEAT_NAMES[seat]} ${saidCard(card)}`).join(', ')}: ${SEAT_NAMES[winner]} wins.`];
  [at.last, at.trick] = [at.trick, []];
}

function step(option) {
  const before = { ...play };
  put(play, seatOf(found.line[play.node].turn), option);
  forward(play);
  play.past = [...before.past, before];
  drawPlay();
}

// The line wins whatever is chosen here, so the best defence is to reveal least: a card with which
// most ways to deal the cards stay possible, and of these the lowest.
function bestDefence() {
  const node = found.line[play.node];
  const worth = node.next.map((option) => {
    const next = { ...play };
    put(next, seatOf(node.turn), option);
    return [option, play.ways.filter(agrees(next)).length];
  });
  const most = Math.max(...worth.map(([, count]) => count));
  const rank = ([card]) => RANKS.indexOf(rankOf(card));
  return worth.filter(([, count]) => count === most).map(([option]) => option).sort((a, b) => rank(b) - rank(a))[0];
}

function drawPlay() {
  const target = byId('table');
  if (!play) {
    const why = found.numerator === 0 ? 'the tricks are out of reach.' : 'the search was stopped before there was one.';
    target.replaceChildren(element('p', {}, `There is no line: ${why}`));
    return;
  }
  const isOver = play.node === null;
  const node = isOver ? null : found.line[play.node];
  const left = play.ways.filter(agrees(play));
  const places = (of) => Object.fromEntries([...SEATS].map((seat) => [PLACES[SEAT_NAMES[seat]], of(seat)]));
  const inOrder = (cards) => [...SUITS].flatMap((suit) => [...RANKS].map((rank) => suit + rank)).filter((card) => cards.includes(card));
  const onTable = play.trick.length > 0 ? play.trick : play.last;
  const words = places((seat) => (seat in play.played ? element('span', {}, ...play.played[seat].map((card) => cardElement(card))) : null));
  const moves = element('div', { class: 'moves', role: 'group', 'aria-label': 'Cards to choose' },
    ...(isOver ? [] : [`${node.turn} plays `]),
    ...(isOver ? [] : node.next.map((option) => cardElement(option[0], { click: () => step(option), label: `${node.turn} plays the ${saidCard(option[0])}` }))));
  const buttons = element('p', {},
    element('button', { type: 'button', id: 'best', disabled: isOver, click: () => step(bestDefence()) }, 'Best defence'),
    element('button', { type: 'button', id: 'back', disabled: play.past.length === 0, click: () => { play = play.past.at(-1); drawPlay(); } }, 'Back'),
    element('button', { type: 'button', id: 'again', disabled: play.past.length === 0, click: begin }, 'From the beginning'));
  const count = `${play.tricks} trick${play.tricks === 1 ? '' : 's'} won, ${play.lost} lost.`;
  const now = isOver
    ? `The goal is reached: ${goalName(found.goal)} are won, or cannot be lost any more. ${count}`
    : `${play.trick.map(({ seat, card }) => `${SEAT_NAMES[seat]} ${saidCard(card)}`).join(', ')}${play.trick.length > 0 ? '. ' : ''}${node.turn} is to play. ${count}`;
  const seat = element('div', {},
    felt({
      hands: places((seat) => inOrder(play.held[seat] ?? [])),
      trick: Object.fromEntries(onTable.map(({ seat, card }) => [PLACES[SEAT_NAMES[seat]], card])),
      words, names: places((seat) => SEAT_NAMES[seat]),
    }),
    element('p', { id: 'now', 'aria-live': 'polite' }, now), moves, buttons,
    ...(play.story.length > 0 ? [element('ol', { class: 'story' }, ...play.story.map((said) => element('li', {}, said)))] : []));
  const rows = left.slice(0, SHOWN).map((hand) => [hand, play.unseen.filter((card) => !hand.includes(card))].map((cards) => inOrder(cards).map(shownCard).join(' ')));
  const more = left.length > SHOWN ? [element('p', { class: 'quiet' }, `And ${left.length - SHOWN} others.`)] : [];
  redraw(target, seat, element('div', {},
    element('p', { id: 'ways' }, `${left.length} of ${play.ways.length} ways to deal the defenders' cards agree with what was seen.`),
    table('What is still possible', 2, [SEAT_NAMES[play.before], SEAT_NAMES[play.other]], rows), ...more));
}

// The controls.

byId('ask').addEventListener('submit', (event) => event.preventDefault());
for (const id of ['declarer', 'leader', 'trumps', 'tricks', 'deal']) byId(id).addEventListener('input', ask);
const refuse = (sentence) => state.refuse(sentence);
guardPaste(byId('deal'), MOST_LETTERS, refuse);
onFile(byId('text'), byId('file'), (bytes, name) => {
  if (bytes.length > MOST_LETTERS) {
    refuse(`${name} has ${bytes.length} bytes, and a deal ${MOST_LETTERS} at most.`);
    return;
  }
  // Old files are Latin-1; the tags that matter are ASCII.
  byId('deal').value = new TextDecoder().decode(bytes);
  ask();
}, refuse);

function load() {
  const asked = Link.read();
  byId('deal').value = asked.deal ?? EXAMPLE;
  for (const id of ['declarer', 'leader', 'trumps']) byId(id).value = '';
  const wrong = Link.fillAll(asked, { by: ['declarer'], lead: ['leader'], trumps: ['trumps'] }, ['deal', 'known', 'tricks']);
  drawLengths();
  byId('known').open = asked.known !== undefined;
  for (const part of asked.known?.split(',') ?? []) {
    const [, suit, least, most] = /^([SHDC])(\d+)-(\d+)$/.exec(part) ?? [];
    const isShown = suit && Link.fill([`least-${suit}`, `most-${suit}`], `${least},${most}`);
    if (!isShown) wrong.push('known');
  }
  // As many tricks as the deal has cards.
  byId('tricks').max = 13;
  byId('tricks').value = 3;
  draw();
  if (asked.tricks !== undefined && !Link.fill(['tricks'], asked.tricks)) wrong.push('tricks');
  state.follow(asked, wrong, ask, () => {
    draw();
    refused();
  });
}
Link.follow(load);
load();
