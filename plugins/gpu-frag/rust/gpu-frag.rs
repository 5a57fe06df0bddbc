//! Keeps whole GPUs whole: an ask goes where it adds least to what no usual ask could use. README.md has the formula.
#![no_std]

use quern::{Failure, Frame, Policy, Result, Value};

/// A GPU in thousandths.
const WHOLE: u64 = 1000;

/// No amount is larger.
const MOST: f64 = 9007199254740992.0;

const MOST_SHAPES: usize = 64;

/// A usual ask: so much of GPUs and of cores, in thousandths, and how usual it is.
#[derive(Clone, Copy)]
struct Shape {
    gpu: f64,
    vcore: f64,
    weight: f64,
}

struct GpuFrag {
    shapes: [Shape; MOST_SHAPES],
    n: usize,
    weights: f64, // of all shapes together
}

/// What there is of a type; less than nothing, and what is no number, is nothing.
fn amount(v: f64) -> f64 {
    if v > 0.0 { v } else { 0.0 }
}

impl GpuFrag {
    fn configure(&mut self, list: Value) -> Result {
        let mut fields = 0;
        for (_, item) in list.items() {
            let (i, v) = (fields / 3, item.number());
            if i == MOST_SHAPES {
                return Err(Failure::BadConfig("shapes: expected at most 64, three numbers each"));
            }
            match fields % 3 {
                0 => self.shapes[i].gpu = v,
                1 => self.shapes[i].vcore = v,
                _ => self.shapes[i].weight = v,
            }
            fields += 1;
        }
        if fields % 3 != 0 {
            return Err(Failure::BadConfig("shapes: expected three numbers each: gpu_milli, thousandths of a vcore, weight"));
        }
        self.n = fields / 3;
        self.weights = self.shapes[..self.n].iter().map(|s| s.weight).sum();
        Ok(())
    }

    /// What placing the ask adds to the node's fragment, from -2^53 to 2^53: the mean over the shapes of what each could
    /// not use after less what it could not use before. Where there is no shape it is the broken GPU alone.
    fn added(&self, before: Room, after: Room) -> f64 {
        let mut sum = 0.0;
        for s in &self.shapes[..self.n] {
            sum += s.weight * (after.unusable(s) - before.unusable(s));
        }
        let added = if self.weights > 0.0 { sum / self.weights } else { after.broken - before.broken };
        if added == added { added.max(-MOST).min(MOST) } else { MOST }
    }
}

/// What a node has left.
#[derive(Clone, Copy)]
struct Room {
    gpu: f64,
    vcore: f64,
    broken: f64, // what is left of the GPU that was begun
}

impl Room {
    fn new(gpu: f64, vcore: f64) -> Room {
        let gpu = amount(gpu).min(MOST);
        Room { gpu, vcore: amount(vcore), broken: (gpu as u64 % WHOLE) as f64 }
    }

    /// The part of the GPUs that an ask of this shape could not use: all where it does not fit, else the broken one,
    /// unless it fits into that.
    #[inline(always)]
    fn unusable(&self, s: &Shape) -> f64 {
        if self.gpu < s.gpu || self.vcore < s.vcore {
            self.gpu
        } else if self.broken < s.gpu {
            self.broken
        } else {
            0.0
        }
    }
}

/// Rounds down.
fn floor(v: f64) -> f64 {
    let whole = v as i64 as f64;
    if whole > v { whole - 1.0 } else { whole }
}

/// How full a node is, from 0 to 1/2.
fn fullness(free: f64, capacity: f64) -> f64 {
    if !(capacity > 0.0) || !(free >= 0.0) {
        return 0.5;
    }
    0.5 - 0.5 * (free / capacity).min(1.0)
}

impl Policy for GpuFrag {
    const NEW: Self = GpuFrag { shapes: [Shape { gpu: 0.0, vcore: 0.0, weight: 0.0 }; MOST_SHAPES], n: 0, weights: 0.0 };

    fn parameter(&mut self, name: &str, value: Value) -> Result {
        if name == "shapes" {
            return self.configure(value);
        }
        Ok(())
    }

    /// The whole part of a score is what the ask adds to the fragment, less of it first, in thousandths of a
    /// thousandth of a GPU. The rest ends ties: the fullest first.
    fn node_score(&mut self, frame: &mut Frame) -> Result {
        let (ask_gpu, ask_vcore) = (frame.column(0), frame.column(1));
        let (free_gpu, free_vcore) = (frame.column(2), frame.column(3));
        let (has_gpu, has_vcore) = (frame.column(4), frame.column(5));
        frame.answer_each(|row| {
            let before = Room::new(free_gpu.at(row), free_vcore.at(row));
            let wanted = amount(ask_gpu.at(row));
            let full = fullness(before.vcore, has_vcore.at(row));
            if wanted == 0.0 && before.gpu == 0.0 {
                return [1.0 + full]; // nobody can miss its GPUs; the scores of other nodes are below 1
            }
            let after = Room::new(before.gpu - wanted, before.vcore - amount(ask_vcore.at(row)));
            let added = self.added(before, after);
            let full = full / 2.0 + fullness(before.gpu, has_gpu.at(row));
            [floor(-1000.0 * if wanted == 0.0 { added.max(0.0) } else { added }) + full]
        })
    }
}

quern::policy! {
    policy: GpuFrag,
    manifest: r#"{
        "name": "gpu-frag",
        "version": "1.0.0",
        "abi": "1.0",
        "description": "Nodes by how little an ask adds to what no usual ask could use of their GPUs",
        "parameters": {
            "shapes": {
                "type": "numbers", "min": 0, "max": 1000000000,
                "description": "usual asks, three numbers each: gpu_milli, thousandths of a vcore, how usual it is",
                "default": [
                    320, 4000, 254,  460, 8000, 122,  470, 8000, 360,  470, 12000, 388,
                    550, 8000, 72,  590, 4000, 75,  650, 12000, 237,  810, 4000, 1047,
                    1000, 4000, 652,  1000, 8000, 184,  1000, 12000, 2251,  1000, 16000, 456,
                    1000, 20000, 284,  1000, 28000, 84,  8000, 68000, 18,  8000, 88000, 18
                ]
            }
        },
        "points": {
            "node.score": {
                "columns": ["ask:gpu_milli", "ask:vcore", "free:gpu_milli", "free:vcore", "capacity:gpu_milli", "capacity:vcore"],
                "keys": 1, "depends": "ask", "fallback": "binpacking"
            }
        }
    }"#,
    points: [node_score(1)],
}
