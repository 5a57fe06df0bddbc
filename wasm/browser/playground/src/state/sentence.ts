/** Texts of the scheduler as sentences. */

/** Ends with a full stop, unless something else ends it. */
export function sentence(text: string): string {
  const whole = capital(text);
  return /[.:;]$/.test(whole) ? whole : `${whole}.`;
}

/** Begins with a capital letter, if it begins with a plain word: a queue, an ID or a key stays as it is called. */
export function capital(text: string): string {
  return /^\p{Ll}+(?=[ ,.]?$|,? )/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
