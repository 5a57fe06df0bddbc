//! The most utilised node first, so that others stay empty. It decides as the scheduler's own binpacking order does.
#![no_std]

use quern::{Frame, Policy, Result, Value, WeightedMean};

struct Binpacking {
    used: WeightedMean,
}

impl Policy for Binpacking {
    const NEW: Self = Binpacking { used: WeightedMean::NEW };

    fn parameter(&mut self, name: &str, value: Value) -> Result {
        if name == "weights" {
            return self.used.configure(value);
        }
        Ok(())
    }

    fn text(&mut self, code: u32, text: &str) {
        self.used.text(code, text);
    }

    fn node_score(&mut self, frame: &mut Frame) -> Result {
        self.used.open(frame, 0);
        frame.answer_each(|row| [self.used.at(row)])
    }
}

quern::policy! {
    policy: Binpacking,
    manifest: r#"{
        "name": "binpacking-rust",
        "version": "1.0.0",
        "abi": "1.0",
        "description": "The most utilised node first",
        "parameters": {
            "weights": {
                "type": "weights", "default": {"memory": 1, "vcore": 1}, "min": 0,
                "description": "how much each type counts in the utilisation of a node, in thousandths at the finest"
            }
        },
        "points": {
            "node.score": {"columns": ["share:*"], "keys": 1, "depends": "row", "fallback": "binpacking"}
        }
    }"#,
    points: [node_score(1)],
}
