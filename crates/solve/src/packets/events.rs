//! Writes events of procedure F as lines of JSON: the rows of Table 1 of Dasgupta et al. (1996), as
//! they happen.

use meetjoin_dag::{NodeId, Problem};
use meetjoin_dominance::{Event, Expression};
use meetjoin_file::OutcomeVectors;

use crate::answers::answer::NodeText;
use crate::packets::Outcome;
use crate::packets::answer::lists;
use crate::searching::events::Events;

/// An observer for [`search`](crate::packets::search) that writes each event as a line of JSON for
/// `listener`, until that returns `false`.
pub fn event_lines<'a>(
    problem: &'a Problem<OutcomeVectors>,
    listener: &'a mut dyn FnMut(&str) -> bool,
) -> impl FnMut(&Event<'_, NodeId, Outcome>) + 'a {
    let mut events = Events::new(listener);
    move |event| {
        let mut tell = |name: &str, node: &NodeId, values: &[(&str, &Expression<Outcome>)]| {
            let node = NodeText::from(&*problem.node_name(*node));
            let json = |packets| serde_json::to_string(&lists(packets)).unwrap_or_default();
            let mut values = values.iter().map(|(key, packets)| (*key, json(packets)));
            let skipped = match event {
                Event::Cut { skipped, .. } => format!(",\"skipped\":{skipped}"),
                _ => String::new(),
            };
            events.tell(name, &node, &mut values, format_args!("{skipped}"));
        };
        match *event {
            Event::Enter { node, alpha, beta } => {
                tell("enter", node, &[("alpha", alpha), ("beta", beta)]);
            }
            Event::Leaf { node } => tell("leaf", node, &[]),
            Event::Update {
                node,
                packets,
                alpha,
                beta,
            } => {
                let values = [("packets", packets), ("alpha", alpha), ("beta", beta)];
                tell("update", node, &values);
            }
            Event::Cut {
                node,
                child,
                alpha,
                beta,
                ..
            } => {
                let values = [("child", child), ("alpha", alpha), ("beta", beta)];
                tell("cut", node, &values);
            }
            Event::Exit {
                node,
                packets,
                alpha,
                beta,
            } => {
                let values = [("packets", packets), ("alpha", alpha), ("beta", beta)];
                tell("exit", node, &values);
            }
        }
    }
}
