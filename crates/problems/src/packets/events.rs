//! Writes events of procedure F as lines of JSON: the rows of Table 1 of Dasgupta et al. (1996), as
//! they happen.

use meetjoin_dag::{NodeId, Problem};
use meetjoin_dominance::Event;
use meetjoin_file::OutcomeVectors;
use meetjoin_solve::answer::NodeText;
use meetjoin_solve::events::Events;

use crate::packets::Outcome;
use crate::packets::answer::lists;

/// An observer for [`search`](crate::packets::search) that writes each event as a line of JSON for
/// `listener`, until that returns `false`.
pub fn event_lines<'a>(
    problem: &'a Problem<OutcomeVectors>,
    listener: &'a mut dyn FnMut(&str) -> bool,
) -> impl FnMut(&Event<'_, NodeId, Outcome>) + 'a {
    let mut events = Events::new(listener);
    move |event| {
        let (name, node, value, window) = match *event {
            Event::Enter { node, alpha, beta } => ("enter", node, None, Some([alpha, beta])),
            Event::Leaf { node } => ("leaf", node, None, None),
            Event::Update {
                node,
                packets,
                alpha,
                beta,
            } => (
                "update",
                node,
                Some(("packets", packets)),
                Some([alpha, beta]),
            ),
            Event::Cut {
                node,
                child,
                alpha,
                beta,
                ..
            } => ("cut", node, Some(("child", child)), Some([alpha, beta])),
            Event::Exit {
                node,
                packets,
                alpha,
                beta,
            } => (
                "exit",
                node,
                Some(("packets", packets)),
                Some([alpha, beta]),
            ),
        };
        let window = window.map(|[alpha, beta]| [("alpha", alpha), ("beta", beta)]);
        let values = value.into_iter().chain(window.into_iter().flatten());
        let json = |packets| serde_json::to_string(&lists(packets)).unwrap_or_default();
        let mut values = values.map(|(key, packets)| (key, json(packets)));
        let skipped = match event {
            Event::Cut { skipped, .. } => format!(",\"skipped\":{skipped}"),
            _ => String::new(),
        };
        let node = NodeText::from(&*problem.node_name(*node));
        events.tell(name, &node, &mut values, format_args!("{skipped}"));
    }
}
