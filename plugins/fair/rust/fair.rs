//! Least used first: queues and applications by their shares, nodes by their utilisation. It decides as the
//! scheduler's own fair orders do.
#![no_std]

use quern::{Frame, Policy, Result, Value, WeightedMean};

struct Fair {
    used: WeightedMean,
}

impl Policy for Fair {
    const NEW: Self = Fair { used: WeightedMean::NEW };

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
        frame.answer_each(|row| [-self.used.at(row)])
    }

    /// The largest share first, then the next.
    fn app_order(&mut self, frame: &mut Frame) -> Result {
        for j in 0..8 {
            let share = frame.column(j);
            for row in frame.asked() {
                frame.answer(row, j, share.at(row));
            }
        }
        Ok(())
    }

    /// The least used first, and of equals the one with more pending.
    fn queue_order(&mut self, frame: &mut Frame) -> Result {
        let (share, pending) = (frame.column(0), frame.column(1));
        frame.answer_each(|row| [share.at(row), -pending.at(row)])
    }
}

quern::policy! {
    policy: Fair,
    manifest: r#"{
        "name": "fair-rust",
        "version": "1.0.0",
        "abi": "1.0",
        "description": "Least used first: queues and applications by their shares, nodes by their utilisation",
        "parameters": {
            "weights": {
                "type": "weights", "default": {"memory": 1, "vcore": 1}, "min": 0,
                "description": "how much each type counts in the utilisation of a node, in thousandths at the finest"
            }
        },
        "points": {
            "node.score": {"columns": ["share:*"], "keys": 1, "depends": "row", "fallback": "fair"},
            "app.order": {
                "columns": ["top_share:1", "top_share:2", "top_share:3", "top_share:4",
                            "top_share:5", "top_share:6", "top_share:7", "top_share:8"],
                "keys": 8, "depends": "row", "fallback": "fair"
            },
            "queue.order": {"columns": ["fair_share", "pending_share"], "keys": 2, "depends": "row", "fallback": "fair"}
        }
    }"#,
    points: [node_score(1), app_order(8), queue_order(2)],
}
