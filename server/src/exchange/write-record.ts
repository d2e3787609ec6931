/**
 * Writes the skill file that a record describes. Unchanged parts stay byte for byte as in the source. Each change is
 * tried as a small edit first, and kept only if parsing the new file returns the wanted record.
 */

import type { KeyPath } from '../languages/yaml/cursor.ts';
import { isUnclosed, parseFrontmatter } from '../languages/yaml/frontmatter.ts';
import { asJson, isEqualJson, type JsonObject } from '../languages/yaml/json-values.ts';
import { type Json, setProperty } from '../languages/yaml/node.ts';
import { type MapLocation, setValues } from '../languages/yaml/set-values.ts';
import { hasBodyOf } from '../skill/read-file.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { lineBreakOf, sliceOf } from '../text.ts';
import { closingLinesOf, dialectOf } from '../vocabulary/dialect.ts';
import type { Loss } from './conversion.ts';
import { type RecordArtifact, recordOf, type SkillRecord } from './record.ts';
import {
  artifactText,
  contentWays,
  framingWays,
  headingWays,
  kindWays,
  metadataWays,
  nameWays,
} from './record-body.ts';

export interface Written {
  readonly text: string;
  readonly uri: string;
  readonly lost: readonly RecordLoss[];
}

export interface RecordLoss extends Omit<Loss, 'span'> {
  /** The path of the field in the record. */
  readonly path: KeyPath;
}

/** Fields that are computed from other fields. A change to a computed field is reported and not written. */
const DERIVED = ['id', 'file', 'dialect', 'not_understood'] as const;

export function writeRecord(record: SkillRecord): Written {
  const uri = uriOf(record);
  const source = recordOf(new SkillFile(uri, record.source.text));
  const derived = DERIVED.filter((field) => !isEqualJson(asJson(record[field]), asJson(source[field]))).map((field) =>
    lost([field], 'It is computed from the other fields and the source, so the change is not written.'),
  );
  const head = writeFrontmatter(uri, source, record);
  const body = writeBody(uri, head.text, record);
  return { uri, text: body.text, lost: [...derived, ...head.lost, ...body.lost] };
}

const lost = (path: KeyPath, why: string): RecordLoss => ({ what: asWritten(path), path, why });

/** `artifacts[0].content` */
const asWritten = (path: KeyPath): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');

/** Returns a URI whose file name matches the record's dialect. */
function uriOf({ file, dialect }: Pick<SkillRecord, 'file' | 'dialect'>): string {
  const parts = file
    .replace(/\\|\p{Cs}/gu, '-')
    .split('/')
    .slice(-2);
  const name = `file:///${parts.map(encodeURIComponent).join('/')}`;
  if (dialectOf(name) === dialect) return name;
  if (dialect === 'agent-skill') return 'file:///SKILL.md';
  return dialect === 'contract' ? 'file:///skill.skill.yaml' : 'file:///skill.skill.md';
}

const PARTS = ['identity', 'contract', 'other'] as const;

const allKeys = (record: SkillRecord): JsonObject => {
  const all: Record<string, Json> = {};
  for (const part of PARTS) for (const [key, value] of Object.entries(record[part])) setProperty(all, key, value);
  return all;
};

function writeFrontmatter(uri: string, source: SkillRecord, record: SkillRecord): Omit<Written, 'uri'> {
  const wanted = allKeys(record);
  const { text } = record.source;
  if (isEqualJson(allKeys(source), wanted)) return { text, lost: [] };
  const read = headReader(uri);
  const place = read(text);
  const isNew =
    place === undefined && hasBodyOf(source.dialect) && !parseFrontmatter(text, closingLinesOf(source.dialect)).open;
  const from = isNew ? withFrontmatter(text) : text;
  const { text: next, unwritten } = setValues(from, wanted, read);
  const keys = unwritten.map((key) =>
    lost(
      [PARTS.find((part) => Object.hasOwn(record[part], key) || Object.hasOwn(source[part], key)) ?? 'other', key],
      'The value cannot be written into the frontmatter of the source. Fix its YAML first.',
    ),
  );
  return { text: next === from ? text : next, lost: keys };
}

/**
 * Returns a function that locates the keys of the frontmatter; its result is undefined if the YAML is broken or
 * missing.
 */
function headReader(uri: string): (text: string) => MapLocation | undefined {
  return (text) => {
    const { frontmatter, dialect } = new SkillFile(uri, text);
    const { tree, content, open } = frontmatter;
    if (tree.broken || isUnclosed(frontmatter) || (hasBodyOf(dialect) && !open)) return undefined;
    return { root: tree.root, content };
  };
}

function withFrontmatter(text: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const end = lineBreakOf(text);
  return `${mark}---${end}---${end}${text.slice(mark.length)}`;
}

/** A change to the body, with the possible edits (the best first) and the body that an edit must produce. */
interface Change {
  readonly path: KeyPath;
  readonly goal: BodyFields;
  readonly ways: (file: SkillFile) => Iterable<string | undefined>;
}

function writeBody(uri: string, text: string, record: SkillRecord): Omit<Written, 'uri'> {
  let now = text;
  const notWritten: RecordLoss[] = [];
  const apply = ({ path, goal, ways }: Change): boolean => {
    for (const next of ways(new SkillFile(uri, now))) {
      if (next === undefined || !sameBody(wantedOf(new SkillFile(uri, next)), goal)) continue;
      now = next;
      return true;
    }
    notWritten.push(
      lost(path, 'With this change, the file would not have the requested content, so the change is not written.'),
    );
    return false;
  };
  const start = wantedOf(new SkillFile(uri, now));
  const order = wantedOrder(start.artifacts, record.artifacts);
  if (sameBody(start, { ...record, artifacts: order.map(({ artifact }) => artifact) })) return { text, lost: [] };
  const arranged = order.map(({ from, artifact }) => (from === undefined ? artifact : start.artifacts[from]));
  const artifacts = arranged.filter((artifact) => artifact !== undefined);
  const goal: BodyFields = { ...start, artifacts };
  const isArranged =
    sameBody(start, goal) || apply({ path: ['artifacts'], goal, ways: (file) => [arrange(file, order)] });
  let done: BodyFields = isArranged ? goal : start;
  const step = (path: KeyPath, next: BodyFields, ways: Change['ways']): void => {
    if (!sameBody(done, next) && apply({ path, goal: next, ways })) done = next;
  };
  for (const [at, { artifact }] of (isArranged ? order : []).entries()) {
    const path = ['artifacts', record.artifacts.indexOf(artifact)];
    const change = (field: keyof RecordArtifact, ways: (file: SkillFile) => Iterable<string | undefined>): void => {
      const old = done.artifacts[at] as RecordArtifact;
      const next = done.artifacts.with(at, { ...old, [field]: artifact[field] });
      step([...path, field], { ...done, artifacts: next }, ways);
    };
    change('kind', (file) => kindWays(file, at, artifact.kind));
    change('name', (file) => nameWays(file, at, artifact.name));
    const old = done.artifacts[at] as RecordArtifact;
    const { model_variant, metadata } = artifact;
    const next = done.artifacts.with(at, { ...old, model_variant, metadata });
    step([...path, 'metadata'], { ...done, artifacts: next }, (file) => metadataWays(file, at, artifact));
    change('content', (file) => contentWays(file, at, artifact));
  }
  step(['heading'], { ...done, heading: record.heading }, (file) => headingWays(file, record.heading));
  step(['framing'], { ...done, framing: record.framing }, (file) => framingWays(file, record.framing));
  return { text: now, lost: notWritten };
}

const wantedOf = (file: SkillFile): BodyFields => recordOf(file);

/** Returns true if two bodies have the same content, however the prose is divided. */
const sameBody = (a: BodyFields, b: BodyFields): boolean =>
  a.heading === b.heading &&
  a.framing.join('\n\n') === b.framing.join('\n\n') &&
  a.artifacts.length === b.artifacts.length &&
  a.artifacts.every((one, at) => sameArtifact(one, b.artifacts[at] as RecordArtifact));

const sameArtifact = (a: RecordArtifact, b: RecordArtifact): boolean =>
  a.kind === b.kind &&
  a.name === b.name &&
  a.model_variant === b.model_variant &&
  a.content === b.content &&
  isEqualJson(a.metadata, b.metadata);

// Arranges the artifacts in the order of the record: removes, adds and moves artifacts.

/** The parts of a body that are compared with a record. */
type BodyFields = Pick<SkillRecord, 'heading' | 'framing' | 'artifacts'>;

interface Ordered {
  readonly artifact: RecordArtifact;
  /** The index of the artifact in the source; undefined for a new artifact. */
  readonly from: number | undefined;
}

/** Returns the artifacts in the order of their ordinals, each with the source artifact that has its ID. */
function wantedOrder(source: readonly RecordArtifact[], wanted: readonly RecordArtifact[]): readonly Ordered[] {
  const places = new Map(source.map(({ id }, at) => [id, at]));
  const taken = new Set<number>();
  return [...wanted]
    .sort((a, b) => a.ordinal - b.ordinal)
    .map((artifact) => {
      const at = places.get(artifact.id);
      if (at === undefined || taken.has(at)) return { artifact, from: undefined };
      taken.add(at);
      return { artifact, from: at };
    });
}

/** Returns the text with the artifacts in the given order. The text between the artifacts does not move. */
function arrange(file: SkillFile, order: readonly Ordered[]): string | undefined {
  const { text, body } = file;
  if (!body) return undefined;
  const lineBreak = lineBreakOf(text);
  const kept = order.flatMap(({ from }) => from ?? []).sort((a, b) => a - b);
  const slots = new Map<number, string[]>(kept.map((at) => [at, []]));
  const first: string[] = [];
  let next = 0;
  let slot = first;
  for (const { artifact, from } of order) {
    if (from === undefined) slot.push(artifactText(artifact, lineBreak));
    else {
      slot = slots.get(kept[next++] as number) as string[];
      slot.push(sliceOf(text, (body.artifacts[from] as { span: { start: number; end: number } }).span));
    }
  }
  const pieces: string[] = [];
  let at = 0;
  for (const [index, { span }] of body.artifacts.entries()) {
    pieces.push(text.slice(at, span.start));
    if (index === 0) pieces.push(...first);
    pieces.push(...(slots.get(index) ?? []));
    at = span.end;
  }
  pieces.push(text.slice(at));
  if (body.artifacts.length === 0) pieces.push(...first);
  return joined(pieces, lineBreak);
}

/** Joins the pieces, with an empty line before each heading. */
function joined(pieces: readonly string[], lineBreak: string): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.startsWith('##') && text !== '') {
      const breaks = /(?:\r\n|\r|\n)*$/.exec(text.slice(-4))?.[0].replace(/\r\n?/g, '\n').length ?? 0;
      text += lineBreak.repeat(Math.max(0, 2 - breaks));
    }
    text += piece;
  }
  return text;
}
