//! A walk through a graph that is given by what lies below each node: depth first, and without
//! recursion.

/// What a walk knows of a node.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    /// On the way from where the walk began.
    Open,
    Done,
}

/// The nodes reachable from some, each after those below it, in the order of the walk. Numbers of
/// nodes are less than `count`.
///
/// # Errors
/// Nodes of which each lies below the one before, and the first below the last.
pub fn upwards<I: Iterator<Item = u32>>(
    count: usize,
    starts: impl IntoIterator<Item = u32>,
    below: impl Fn(u32) -> I,
) -> Result<Vec<u32>, Vec<u32>> {
    let mut marks = vec![Mark::New; count];
    let mut order = Vec::new();
    let mut stack = Vec::new();
    for start in starts {
        if marks[start as usize] != Mark::New {
            continue;
        }
        marks[start as usize] = Mark::Open;
        stack.push((start, below(start)));
        while let Some((node, rest)) = stack.last_mut() {
            let Some(next) = rest.next() else {
                marks[*node as usize] = Mark::Done;
                order.push(*node);
                stack.pop();
                continue;
            };
            match marks[next as usize] {
                Mark::New => {
                    marks[next as usize] = Mark::Open;
                    stack.push((next, below(next)));
                }
                Mark::Open => {
                    let open = stack.iter().map(|(node, _)| *node);
                    return Err(open.skip_while(|node| *node != next).collect());
                }
                Mark::Done => {}
            }
        }
    }
    Ok(order)
}
