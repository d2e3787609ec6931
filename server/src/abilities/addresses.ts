/** The addresses that stand in scripts and commands (docs/abilities.md, "Addresses"). */
import { type Span, span } from '../text.ts';

export interface Address {
  /** The host as written, with its port. */
  readonly host: string;
  readonly span: Span;
}

/** Names of vocabularies, which nobody fetches. */
const VOCABULARIES = /^(?:www\.w3\.org|schemas?\.|json-schema\.org|purl\.org|ns\.adobe\.com|xmlns\.com)/i;

/** A user's name and password before the host are passed over. */
const ADDRESS = /\bhttps?:\/\/(?:[^\s"'`<>/@]{1,200}@)?([\w.-]{1,253}(?::\d{1,5})?)[^\s"'`<>()[\]{}\\|]{0,2000}/g;

export function findAddresses(text: string): readonly Address[] {
  const found: Address[] = [];
  for (const { 0: url, 1: host = '', index } of text.matchAll(ADDRESS)) {
    if (!VOCABULARIES.test(host)) found.push({ host, span: span(index, index + url.length) });
  }
  return found;
}
