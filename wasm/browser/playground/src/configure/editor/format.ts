/** The format is a part of the editor's state, so that undoing a conversion brings both back: the text and its format. */

import { invertedEffects } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { LanguageSupport, StreamLanguage } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { Compartment, EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import type { Configuration } from "../../model/scenario";

type Format = Configuration["format"];

export const setFormat = StateEffect.define<Format>();

const field = StateField.define<Format>({
  create: () => "yaml",
  update: (format, { effects }) => effects.find((e) => e.is(setFormat))?.value ?? format,
});

const languages: Readonly<Record<Format, Extension>> = { yaml: yaml(), toml: new LanguageSupport(StreamLanguage.define(toml)) };
const language = new Compartment();

export const formatOf = (state: EditorState): Format => state.field(field);

/** Begins in a format. */
export const inFormat = (format: Format): Extension => [
  field.init(() => format),
  language.of(languages[format]),
  EditorState.transactionExtender.of(({ effects }) => {
    const set = effects.find((e) => e.is(setFormat));
    return set ? { effects: language.reconfigure(languages[set.value]) } : null;
  }),
  invertedEffects.of(({ startState, effects }) => (effects.some((e) => e.is(setFormat)) ? [setFormat.of(formatOf(startState))] : [])),
];
