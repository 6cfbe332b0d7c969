// Shared by the pages about bridge: cards and their names, and a table to play at.
'use strict';

const RANKS = 'AKQJT98765432';
const RANK_NAMES = { A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: 'ten' };
const SUIT_SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };
const SUIT_NAMES = { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' };

// A card is a rank, as in `Q`, or a suit and a rank, as in `HQ`.
const rankOf = (card) => card[card.length - 1];
const suitOf = (card) => (card.length > 1 ? card[0] : '');
const shownCard = (card) => (suitOf(card) ? SUIT_SIGNS[suitOf(card)] : '') + (rankOf(card) === 'T' ? '10' : rankOf(card));
const saidCard = (card) => {
  const rank = RANK_NAMES[rankOf(card)] ?? rankOf(card);
  return suitOf(card) ? `${rank} of ${SUIT_NAMES[suitOf(card)]}` : rank;
};
const isRed = (card) => 'HD'.includes(suitOf(card)) && suitOf(card) !== '';

// A card to look at, or, with a listener, a button.
function cardElement(card, { chosen = false, click = null, label = '' } = {}) {
  const name = ['card', isRed(card) ? 'red' : '', chosen ? 'chosen' : ''].filter(Boolean).join(' ');
  const said = label || saidCard(card);
  if (!click) return element('span', { class: name, role: 'img', 'aria-label': said }, shownCard(card));
  return element('button', { type: 'button', class: name, 'aria-label': said, click }, shownCard(card));
}

// A row of the deck: thirteen buttons, pressed where `is` says so.
function deckRow(label, cards, is, click, disabled = () => false) {
  return [
    element('span', {}, label),
    ...cards.map((card) => element('button', {
      type: 'button',
      'data-card': card,
      'aria-label': `${label}: ${saidCard(card)}`,
      'aria-pressed': String(is(card)),
      disabled: disabled(card),
      click: () => click(card),
    }, rankOf(card) === 'T' ? '10' : rankOf(card))),
  ];
}

// Replaces the children, and restores the focus to the button that had it.
function redraw(parent, ...children) {
  const nameOf = (button) => button.id || button.getAttribute('aria-label') || button.textContent;
  const active = document.activeElement;
  const name = parent.contains(active) ? nameOf(active) : null;
  parent.replaceChildren(...children);
  if (name === null) return;
  const buttons = [...parent.querySelectorAll('button:not(:disabled)')];
  (buttons.find((button) => nameOf(button) === name) ?? buttons[0])?.focus({ preventScroll: true });
}

// The table: hands of declarer's side, what is played to the trick, and a word at the defenders'.
function felt({ hands, trick, words, names }) {
  const hand = (place) => element('div', { class: place },
    element('p', { class: 'name' }, names[place]),
    element('div', {}, ...(hands[place] ?? []).map((card) => cardElement(card)), ...(words[place] ? [words[place]] : [])));
  const areas = { north: 'n', east: 'e', south: 's', west: 'w' };
  const played = Object.entries(trick).map(([place, card]) => {
    const shown = card === '-' ? element('span', { class: 'card', role: 'img', 'aria-label': 'no card of the suit' }, '–') : cardElement(card, { chosen: true });
    shown.style.gridArea = areas[place];
    return shown;
  });
  return element('div', { class: 'felt', role: 'group', 'aria-label': 'The table' },
    hand('north'), hand('west'), element('div', { class: 'trick', role: 'group', 'aria-label': 'The trick' }, ...played), hand('east'), hand('south'));
}

// Lines of text as the program writes them: two spaces for each step to the right.
function wordsOf(lines) {
  return element('div', { class: 'line' }, ...lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    const shown = element('p', {}, line.trim());
    shown.style.paddingLeft = `${indent * 0.6}rem`;
    return shown;
  }));
}
