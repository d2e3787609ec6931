/** Lists the sources of invocations (`SamplesRequest`), and saves an invocation as a sample (`SaveSampleRequest`). */

import type { Analysis } from '../../analysis/analysis.ts';
import { invocationContextOf, ownPackageOf } from '../../analysis/package-of.ts';
import { isTooDeep, MAX_DEPTH } from '../../composer/json.ts';
import { canonical, isObject, isUsable } from '../../languages/schema/schema.ts';
import { formatJson, insertEntry, removeEntry, setScalar } from '../../languages/yaml/edit.ts';
import { findValue, isNull, type Json, jsonOf, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { formatBlock } from '../../languages/yaml/quote.ts';
import type { Invocation, NamedInvocation, SamplesReply } from '../../protocol.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { insertKey } from '../../skill/insert-key.ts';
import { readInvocation } from '../../skill/package-samples.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, type TextEdit } from '../../text.ts';
import { isSkillDialect } from '../../vocabulary/dialect.ts';
import { differenceOf } from '../difference.ts';
import type { Locate } from '../locate.ts';

export type SavedSample = { readonly edits: readonly TextEdit[] } | { readonly problem: string };

const KEYS = ['request', 'parameters', 'source', 'channel', 'profile', 'model', 'thread_id', 'memory'] as const;
const isOfInvocation = (key: string): boolean => (KEYS as readonly string[]).includes(key);
const LONGEST_NAME = 100;

/**
 * Writes an invocation as a sample. Keeps comments, order and style. Edits the file in steps, parses the result to
 * verify it, and returns the difference between the original and the final text.
 */
export function saveSample(file: SkillFile, name: string, invocation: Invocation): SavedSample {
  const { text, dialect, frontmatter } = file;
  if (name.trim() === '' || name.length > LONGEST_NAME || /[\r\n]/.test(name)) {
    return { problem: `The name of a sample must be one line of at most ${LONGEST_NAME} characters.` };
  }
  if (dialect !== 'composer' && dialect !== 'contract')
    return { problem: 'This kind of file does not support samples.' };
  if (frontmatter.tree.broken) return { problem: 'The frontmatter is invalid. Fix its YAML first.' };
  const [deep] = Object.entries(invocation.parameters ?? {}).find(([, value]) => isTooDeep(value)) ?? [];
  if (deep !== undefined) return { problem: `The value of \`${deep}\` is nested more than ${MAX_DEPTH} levels deep.` };
  const wanted: Readonly<Record<string, Json>> = Object.fromEntries(
    KEYS.flatMap((key) => (invocation[key] === undefined ? [] : [[key, invocation[key] as unknown as Json]])),
  );
  for (const write of [rewriteParts, replaceWhole]) {
    const after = write(file, name, wanted);
    if (after && isSaved(file, after, name, wanted)) return { edits: differenceOf(text, after.text) };
  }
  return { problem: 'The sample cannot be added automatically. Add it under `samples` by hand.' };
}

type SamplePath = readonly string[];

const rootOf = ({ frontmatter }: SkillFile): YamlNode | undefined => frontmatter.tree.root;

/** Returns the node at a path below `samples`. */
const nodeIn = (file: SkillFile, path: SamplePath): YamlNode | undefined =>
  path.reduce<YamlNode | undefined>(findValue, findSkillEntry(rootOf(file), 'samples')?.value);

/**
 * Returns the file after the edits. Returns undefined if `edits` is empty, which means that an edit was not possible.
 */
function edited(file: SkillFile, edits: readonly TextEdit[]): SkillFile | undefined {
  return edits.length > 0 ? new SkillFile(file.uri, applyEdits(file.text, edits)) : undefined;
}

function rewriteParts(file: SkillFile, name: string, wanted: Readonly<Record<string, Json>>): SkillFile | undefined {
  const sample = nodeIn(file, [name]);
  if (!sample) return insertSample(file, name, wanted);
  if (sample.kind !== 'map') return replaceWhole(file, name, wanted);
  return changeValue(file, [name], wanted);
}

function insertSample(file: SkillFile, name: string, wanted: Readonly<Record<string, Json>>): SkillFile | undefined {
  const { text } = file;
  const samples = findSkillEntry(rootOf(file), 'samples')?.value;
  if (!samples) {
    const begun = edited(file, insertKey(file, 'samples', '{}'));
    const empty = begun && findSkillEntry(rootOf(begun), 'samples')?.value;
    if (!begun || !empty) return undefined;
    const { start, end } = empty.span;
    // Replaces `{}` with a block.
    const bare = [{ span: { start: start - 1, end }, newText: '' }];
    const opened = edited(begun, bare);
    return opened && insertSample(opened, name, wanted);
  }
  const block = formatBlock(wanted);
  if (samples.kind === 'map' && !samples.flow) {
    const [first] = samples.entries;
    const value = first?.value.kind === 'map' && first.value.flow ? formatJson(wanted) : block;
    return edited(file, insertEntry(text, samples, name, value));
  }
  if (samples.kind === 'map') return edited(file, insertEntry(text, samples, name, formatJson(wanted)));
  if (samples.kind === 'scalar' && isNull(samples)) return edited(file, insertEntry(text, samples, name, block));
  return undefined;
}

/** Changes the value at a path below `samples`; parts that are already equal are not edited. */
function changeValue(file: SkillFile, path: SamplePath, wanted: Json): SkillFile | undefined {
  const node = nodeIn(file, path);
  if (!node) return undefined;
  if (isSame(node, wanted, path)) return file;
  if (node.kind === 'scalar' && (typeof wanted !== 'object' || wanted === null)) {
    return edited(file, setScalar(file.text, node, wanted));
  }
  if (node.kind !== 'map' || !isObject(wanted) || Object.keys(wanted).length === 0) return replace(file, node, wanted);
  let current: SkillFile | undefined = file;
  for (const [key, value] of Object.entries(wanted)) {
    if (!current) return undefined;
    const map = nodeIn(current, path);
    if (map?.kind !== 'map') return undefined;
    current = findValue(map, key)
      ? changeValue(current, [...path, key], value)
      : edited(current, insertEntry(current.text, map, key, map.flow ? formatJson(value) : formatBlock(value)));
  }
  for (const { key } of node.entries) {
    const name = String(key.value);
    if (!current || Object.hasOwn(wanted, name) || (path.length === 1 && !isOfInvocation(name))) continue;
    const map = nodeIn(current, path);
    if (map?.kind !== 'map') return undefined;
    current = edited(current, removeEntry(current.text, map, name));
  }
  return current;
}

function replace(file: SkillFile, node: YamlNode, wanted: Json): SkillFile | undefined {
  const { start, end } = node.span;
  const gap = start === end ? ' ' : '';
  return edited(file, [{ span: node.span, newText: `${gap}${formatJson(wanted)}` }]);
}

function replaceWhole(file: SkillFile, name: string, wanted: Readonly<Record<string, Json>>): SkillFile | undefined {
  const sample = nodeIn(file, [name]);
  return sample && replace(file, sample, { ...wanted, ...othersOf(sample) });
}

/** Returns the keys of a sample that are not part of its invocation, such as expectations. */
function othersOf(sample: YamlNode | undefined): Readonly<Record<string, Json>> {
  const all = jsonOf(sample);
  return Object.fromEntries(Object.entries(isObject(all) ? all : {}).filter(([key]) => !isOfInvocation(key)));
}

/**
 * Returns whether a node has the wanted value. Values in an invocation are strings even if YAML reads a
 * number, except parameters, which keep their types.
 */
function isSame(node: YamlNode, wanted: Json, path: SamplePath): boolean {
  if (path.length === 2 && path[1] !== 'parameters' && node.kind === 'scalar' && !isNull(node)) {
    return (stringOf(node) ?? node.source) === wanted;
  }
  return canonical(jsonOf(node)) === canonical(wanted);
}

/** Returns whether the sample has the wanted value and all other values are unchanged. */
function isSaved(before: SkillFile, after: SkillFile, name: string, wanted: Readonly<Record<string, Json>>): boolean {
  const sample = nodeIn(after, [name]);
  if (after.frontmatter.tree.broken || !sample) return false;
  if (canonical(readInvocation(sample) as unknown as Json) !== canonical(wanted)) return false;
  if (canonical(othersOf(nodeIn(before, [name]))) !== canonical(othersOf(sample))) return false;
  return canonical(withoutSample(before, name)) === canonical(withoutSample(after, name));
}

function withoutSample(file: SkillFile, name: string): Json {
  const all = jsonOf(rootOf(file));
  const key = findSkillEntry(rootOf(file), 'samples')?.key.value;
  if (!isObject(all)) return [];
  const { [String(key ?? 'samples')]: samples, ...rest } = all;
  const others = isObject(samples ?? null) ? Object.entries(samples as object).filter(([other]) => other !== name) : [];
  return [rest, others.map(([other, value]) => [other, value as Json])];
}

/** Returns the samples, example inputs, profiles and models of a skill; undefined if the file is not a skill. */
export function samplesOf(analysis: Analysis, uri: string, locate: Locate): SamplesReply | undefined {
  const file = analysis.file(uri);
  if (!file?.isSkill || !isSkillDialect(file.dialect)) return undefined;
  const { inputSchema, samples, name, modelPreference, artifacts } = ownPackageOf(analysis, file);
  const examples = file.examples.flatMap(({ artifact, side, tree }): NamedInvocation[] => {
    if (side !== 'input' || tree.broken || tree.root?.kind !== 'map') return [];
    const invocation: Invocation = { parameters: jsonOf(tree.root) as Readonly<Record<string, Json>> };
    return [{ name: artifact.name, range: locate.range(file, tree.root.span), invocation }];
  });
  const models = [
    ...(analysis.parsedCatalogOf(uri).models?.keys() ?? []),
    ...modelPreference,
    ...artifacts.flatMap(({ modelVariant }) => modelVariant ?? []),
  ];
  return {
    uri,
    name: name?.name ?? '',
    samples: samples.map((sample) => ({
      name: sample.name,
      range: locate.range(file, sample.span),
      invocation: sample.invocation,
    })),
    examples,
    schema: inputSchema && isUsable(inputSchema) ? inputSchema.json : undefined,
    profiles: invocationContextOf(analysis, uri).profiles.map((profile) => profile.name),
    models: [...new Set(models)],
  };
}
