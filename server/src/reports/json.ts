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
export const printedJsonInPieces = (value: object): Iterable<string> => piecesOf(value, INDENTED);

/**
 * Yields an object as JSON in pieces, with one line for each item of its lists. The object must not be empty. Its lists
 * may be any iterables, and are read one after the other, so a later one may have items that an earlier one adds.
 */
export const jsonLinesInPieces = (value: object): Iterable<string> => piecesOf(value, IN_LINES);

/** The two ways to write a value of an object, and the items of a list. */
interface Layout {
  readonly writeValue: (value: unknown) => string;
  readonly writeItems: (items: readonly unknown[]) => string;
}

// The key and the brackets around a value are removed from the text of an object that has only this value.
const INDENTED: Layout = {
  writeValue: (value) => JSON.stringify({ _: value }, undefined, 2).slice('{\n  "_": '.length, -'\n}'.length),
  writeItems: (items) => JSON.stringify({ _: items }, undefined, 2).slice('{\n  "_": ['.length, -'\n  ]\n}'.length),
};

const IN_LINES: Layout = {
  writeValue: (value) => JSON.stringify({ _: value }).slice('{"_":'.length, -'}'.length),
  writeItems: (items) => items.map((item) => `\n    ${JSON.stringify(item)}`).join(','),
};

function* piecesOf(value: object, { writeValue, writeItems }: Layout): Iterable<string> {
  let before = '{\n  ';
  for (const [key, item] of Object.entries(value)) {
    yield `${before}${escapeInvisibleInJson(JSON.stringify(key))}: `;
    before = ',\n  ';
    if (!isIterable(item)) {
      yield escapeInvisibleInJson(writeValue(item));
      continue;
    }
    let open = '[';
    for (const batch of batchesOf(item)) {
      yield escapeInvisibleInJson(open + writeItems(batch));
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

/** Returns a text that identifies data: equal data with its keys in the same order has the same text. */
export const dataKey = (data: object): string => JSON.stringify(data);

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
