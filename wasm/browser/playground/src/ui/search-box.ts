import { createRef } from "preact";

/** The field that finds by ID: for keys and links that go there. */
export const searchBox = createRef<HTMLInputElement>();
