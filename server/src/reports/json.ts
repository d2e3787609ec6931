/** JSON in reports: `check --format json`, and values of users. */

import type { Analysis } from '../analysis/analysis.ts';
import { mapPlaces } from '../features/preview/with-ranges.ts';
import type { Json } from '../languages/yaml/node.ts';
import { escapeInvisibleInJson, lineStartsOf, rangeOf, showInvisible } from '../text.ts';
import { type CheckReport, summaryOf } from './check-report.ts';
import { docsOf } from './rule-page.ts';

export function toJson(report: CheckReport): string {
  const findings = findingsIn(report).map((finding) => ({ ...finding, docs: docsOf(finding.rule) }));
  return printedJson({ version: 1, findings, summary: summaryOf(report) });
}

export type FindingView = ReturnType<typeof findingsIn>[number];

/**
 * Returns the findings of all files as JSON data. The data omits links to rule pages, because agents cannot open them.
 */
export const findingsIn = (report: CheckReport) =>
  report.files.flatMap(({ file, text, findings }) => {
    const lines = lineStartsOf(text);
    return findings.map(({ code, rule, severity, message, span, related, fixes }) => ({
      file,
      code,
      rule,
      severity,
      message,
      range: rangeOf(lines, span),
      related: related.flatMap((place) => {
        const found = report.findFile(place.uri);
        if (!found) return [];
        const range = rangeOf(lineStartsOf(found.text), place.span);
        return [{ file: found.file, range, message: place.message }];
      }),
      fixes: fixes.map(({ title, safe }) => ({ title, safe })),
    }));
  });

/** Returns a result with files and ranges instead of URIs and spans. */
export const placed = (analysis: Analysis, fileOf: (uri: string) => string, result: unknown): unknown =>
  mapPlaces(result, (uri, span) => ({ file: fileOf(uri), range: rangeOf(analysis.file(uri)?.lines ?? [0], span) }));

/** Prints a value as JSON for a terminal or a file. Escapes characters that would control a terminal. */
export const printedJson = (value: unknown): string =>
  `${escapeInvisibleInJson(JSON.stringify(value, undefined, 2))}\n`;

/** The number of items of a list that a piece of JSON contains. */
const ITEMS = 64;

/**
 * Yields the text of `printedJson` in pieces, because the text may be longer than a string can be. The object must not
 * be empty. Each of its lists may be any iterable, which is read item by item.
 */
export function* printedJsonInPieces(value: Readonly<Record<string, unknown>>): Iterable<string> {
  // The list's key and brackets surround the items in the text of an object with only this list.
  const itemsOf = (list: readonly unknown[]) =>
    escapeInvisibleInJson(JSON.stringify({ _: list }, undefined, 2).slice('{\n  "_": ['.length, -'\n  ]\n}'.length));
  let before = '{\n  ';
  for (const [key, item] of Object.entries(value)) {
    yield `${before}${escapeInvisibleInJson(JSON.stringify(key))}: `;
    before = ',\n  ';
    if (!isIterable(item)) {
      yield escapeInvisibleInJson(JSON.stringify({ _: item }, undefined, 2).slice('{\n  "_": '.length, -'\n}'.length));
      continue;
    }
    let open = '[';
    for (const batch of batchesOf(item)) {
      yield open + itemsOf(batch);
      open = ',';
    }
    yield open === '[' ? '[]' : '\n  ]';
  }
  yield '\n}\n';
}

function* batchesOf(items: Iterable<unknown>): Iterable<readonly unknown[]> {
  let batch: unknown[] = [];
  for (const item of items) {
    if (batch.push(item) < ITEMS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

// Values of users on one line of a text.

/** Returns a value as JSON on one line, without characters that control a terminal. */
export const jsonLine = (value: Json): string => escapeInvisibleInJson(JSON.stringify(value));

/** Shows authors' text on one line, cut to `most` characters. */
export function shortText(text: string, most: number): string {
  const characters = [...showInvisible(text.slice(0, 2 * most + 2))];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

/** Shows a value on one line, cut to `most` characters, as JSON without the quotes around simple names. */
export function shortJson(value: Json, most: number): string {
  const parts: string[] = [];
  // Nothing after the room is printed, so neither the size nor the depth of a value matters.
  let room = 2 * most + 2;
  const put = (text: string): void => {
    parts.push(text);
    room -= text.length;
  };
  const start = (text: string): string => text.slice(0, Math.max(0, room));
  const walk = (one: Json): void => {
    if (typeof one !== 'object' || one === null) {
      put(typeof one === 'string' ? JSON.stringify(start(one)) : String(one));
      return;
    }
    const isList = Array.isArray(one);
    put(isList ? '[' : '{');
    for (const [at, key] of Object.keys(one).entries()) {
      if (room <= 0) return;
      if (at > 0) put(', ');
      if (!isList) put(`${/^[A-Za-z_$][\w$-]*$/.test(start(key)) ? start(key) : JSON.stringify(start(key))}: `);
      walk((one as Readonly<Record<string, Json>>)[key] ?? null);
    }
    put(isList ? ']' : '}');
  };
  walk(value);
  return shortText(parts.join(''), most);
}
