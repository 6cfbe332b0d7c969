'use strict';
const program = new Program('bridge');
const state = new State(program);
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  state.ask({ ask: { ending: {} }, ({ text }) => {
    byId('answer').textContent = text;
    return 'Answered.';
  });
});
