'use strict';
const program = new Program('bridge');
const state = new State(program);
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  state.ask({ ask: { suit: { north: byId('north').value, south: byId('south').value } } }, ({ text }) => {
    byId('answer').textContent = text;
    return 'Answered.';
  });
});
