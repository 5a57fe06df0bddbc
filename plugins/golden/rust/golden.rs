//! The golden policy in Rust: every SDK has it in its language, and all answer with the same bytes.
#![no_std]

use quern::{Frame, Policy, Result, Value};

struct Golden {
    weight: f64,
    gold: u32, // code of the text, 0 where it has not come up
}

impl Policy for Golden {
    const NEW: Self = Golden { weight: 1.0, gold: 0 };

    fn parameter(&mut self, name: &str, value: Value) -> Result {
        if name == "weight" {
            self.weight = value.number();
        }
        Ok(())
    }

    fn text(&mut self, code: u32, text: &str) {
        if text == "gold" {
            self.gold = code;
        }
    }

    /// The least used and lowest ranked first, and of equals the team "gold".
    fn app_order(&mut self, frame: &mut Frame) -> Result {
        let (used, rank, team) = (frame.column(0), frame.column(1), frame.column(2));
        frame.answer_each(|row| {
            let code = team.at(row);
            let gold = code != 0.0 && code == self.gold as f64;
            [used.at(row) * self.weight + rank.at(row), if gold { -1.0 } else { (code != 0.0) as u8 as f64 }]
        })
    }

    /// Gangs that need more members than they have last, placeholders before others, and of equals the user "gold".
    fn ask_order(&mut self, frame: &mut Frame) -> Result {
        let (size, min, user, placeholder) = (frame.column(0), frame.column(1), frame.column(2), frame.column(3));
        frame.answer_each(|row| {
            let (code, lacking) = (user.at(row), min.at(row) - size.at(row));
            let gold = code != 0.0 && code == self.gold as f64;
            [if lacking > 0.0 { lacking } else { 0.0 }, -placeholder.at(row), !gold as u8 as f64]
        })
    }

    /// Racks without room for more asks than the weight are refused, but not the one named "gold".
    fn node_filter(&mut self, frame: &mut Frame) -> Result {
        let (rack, left, fits) = (frame.column(0), frame.column(1), frame.column(2));
        frame.answer_each(|row| {
            let code = rack.at(row);
            let named = code != 0.0 && code == self.gold as f64;
            let refused = if left.at(row) > 0.0 { 1.0 } else { 2.0 };
            [if named || fits.at(row) > self.weight { 0.0 } else { refused }]
        })
    }

    /// Those are best that have most left beside the ask.
    fn node_score(&mut self, frame: &mut Frame) -> Result {
        let (free, ask) = (frame.column(0), frame.column(1));
        frame.answer_each(|row| [(free.at(row) - ask.at(row)) * self.weight])
    }

    /// The smallest part of what is pending first.
    fn queue_order(&mut self, frame: &mut Frame) -> Result {
        let share = frame.column(0);
        let mut sum = 0.0;
        for row in frame.asked() {
            sum += share.at(row);
        }
        frame.answer_each(|row| [if sum != 0.0 { share.at(row) / sum } else { 0.0 }])
    }

    /// The longest walltime first, an ask without one before all others; of equals the lowest priority.
    fn victim_rank(&mut self, frame: &mut Frame) -> Result {
        let (walltime, priority) = (frame.column(0), frame.column(1));
        frame.answer_each(|row| {
            let limit = walltime.at(row);
            [if limit < 0.0 { f64::NEG_INFINITY } else { -limit * self.weight }, priority.at(row)]
        })
    }
}

quern::policy! {
    policy: Golden,
    manifest: r#"{
        "name": "golden",
        "version": "1.0.0",
        "abi": "1.3",
        "description": "The policy that every SDK is tested with",
        "parameters": {"weight": {"type": "number", "default": 1}},
        "points": {
            "app.order": {"columns": ["used:vcore", "tag:rank=-1", "tag_code:team"], "keys": 2, "depends": "row"},
            "ask.order": {"columns": ["gang_size", "gang_min", "user_code", "placeholder"], "keys": 3, "depends": "row"},
            "node.filter": {"columns": ["domain:rack", "domain_free:rack:vcore=-1", "domain_fits"], "keys": 1, "depends": "ask"},
            "node.score": {"columns": ["free:vcore", "ask:vcore"], "keys": 1, "depends": "ask"},
            "queue.order": {"columns": ["pending_share"], "keys": 1, "depends": "siblings"},
            "victim.rank": {"columns": ["walltime=-1", "ask_priority"], "keys": 2, "depends": "row"}
        }
    }"#,
    points: [app_order(2), ask_order(3), node_filter(1), node_score(1), queue_order(1), victim_rank(2)],
}
