/** Converts a `SKILL.md` to a `.skill.md` (docs/exchange.md, "From SKILL.md"). */
import { valid } from 'semver';
import { formatScalar } from '../languages/yaml/edit.ts';
import { asJson, isObject } from '../languages/yaml/json-values.ts';
import { findEntry, type Json, jsonOf, mapEntries, setProperty, type YamlEntry } from '../languages/yaml/node.ts';
import { formatBlock } from '../languages/yaml/quote.ts';
import { kebabName } from '../skill/kebab-name.ts';
import { ORIGIN_KEYS } from '../skill/origin.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, lineBreakOf, type Span, sliceOf, span, type TextEdit } from '../text.ts';
import { folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { checkFormat } from '../vocabulary/formats.ts';
import { type Conversion, type Loss, NO_SPAN } from './conversion.ts';

export function agentSkillToSkill(file: SkillFile): Conversion {
  const { frontmatter, text } = file;
  const [problem] = frontmatter.tree.broken ? frontmatter.tree.problems : [];
  if (problem) return { problem: `Its frontmatter does not parse: ${problem.message}`, span: problem.span };
  const name = kebabName(file.contract.name?.name ?? nameFromUri(file.uri)) ?? 'skill';
  const lost: Loss[] = [];
  const entries = entriesOf(mapEntries(frontmatter.tree.root), name, lost);
  const head = entries.map(([key, value]) => {
    const yaml = formatBlock(value);
    return `${formatScalar(key, true)}:${yaml.startsWith('\n') ? '' : ' '}${yaml}\n`;
  });
  const body = text.slice(frontmatter.bodyStart).replace(/^(?:[ \t]*\r?\n)+/, '');
  const frame = `---\n${head.join('')}---\n\n`.replaceAll('\n', lineBreakOf(text));
  const skill = frame + body;
  const odd = oddHeadings(skill);
  // Both files end with the same body, so offsets differ by a constant.
  const inSource = text.length - skill.length;
  for (const { start, end } of odd) {
    const what = `heading \`${skill.slice(start, end)}\``;
    const why = 'A `.skill.md` would read this heading as an artifact, so it is now bold text.';
    lost.push({ what, span: span(start + inSource, end + inSource), why });
  }
  const title = file.body?.title;
  if (title)
    lost.push({
      what: 'title',
      span: title.span,
      why: 'It stays in the file, but the composed prompt has no title.',
      isNote: true,
    });
  const inBold = odd.map((place): TextEdit => ({ span: place, newText: `**${sliceOf(skill, place)}**` }));
  const files = [{ path: `${name}.skill.md`, text: applyEdits(skill, inBold) }];
  return { files, losses: byPlace(lost), copied: { from: folderOf(file.uri), to: '' } };
}

/** Returns the entries of the frontmatter. Keys that the format does not know get the prefix `x-`. */
function entriesOf(written: readonly YamlEntry[], name: string, lost: Loss[]): readonly (readonly [string, Json])[] {
  const entries: Record<string, Json> = { name };
  const others: Record<string, Json> = {};
  const metadata: Record<string, Json> = {};
  let metadataSpan = NO_SPAN;
  const keep = (word: string, json: Json, span: Span): void => {
    const key = word.startsWith('x-') ? word : `x-${word}`;
    if (Object.hasOwn(others, key)) {
      const why = `Another key is already converted to \`${key}\`. Rename one of the two.`;
      lost.push({ what: word, span, why });
    } else setProperty(others, key, json);
  };
  let version: string | undefined;
  /** The span of the version if it is invalid, otherwise the span of the name. */
  let place = NO_SPAN;
  let why = 'The `SKILL.md` has no version. The skill gets version `1.0.0`.';
  for (const { key, value, span } of written) {
    const word = String(key.value);
    const json = asJson(jsonOf(value));
    if (word === 'name') {
      if (place === NO_SPAN) place = span;
      if (typeof json === 'string' && json !== name) setProperty(entries, 'title', json);
    } else if (word === 'description') {
      setProperty(entries, word, typeof json === 'string' ? json : '');
      if (typeof json !== 'string')
        lost.push({
          what: word,
          span,
          why: 'The description is not a string, so the new skill has an empty description.',
        });
    } else if (word === 'license' && typeof json === 'string' && !checkFormat(json, 'spdx', word))
      setProperty(entries, word, json);
    else if (word === 'metadata' && isObject(json)) {
      metadataSpan = span;
      for (const [inner, one] of Object.entries(json)) {
        if (ORIGIN_KEYS.has(inner)) continue;
        if (inner === 'version' && valid(String(one)) !== null) version = String(one).replace(/^[\sv=]+/, '');
        else if (inner === 'author' && typeof one === 'string') setProperty(entries, inner, one);
        else setProperty(metadata, inner, one);
      }
      if (Object.hasOwn(metadata, 'version')) {
        place = findEntry(value, 'version')?.span ?? span;
        why = 'It is not a semantic version. The skill gets `1.0.0`, and `x-metadata` keeps the old value.';
      }
    } else keep(word, json, span);
  }
  if (version === undefined) lost.push({ what: 'version', span: place, why, isNote: true });
  if (Object.keys(metadata).length > 0) keep('metadata', metadata, metadataSpan);
  const { name: own, title, description, license, author } = entries;
  const ordered = {
    name: own,
    title,
    description,
    version: version ?? '1.0.0',
    author,
    license,
    input_schema: {},
    ...others,
  };
  return Object.entries(ordered).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
}

/**
 * Returns the spans of headings that the format would read as artifacts. The conversion changes such headings to bold
 * text, so that they stay prose.
 */
function oddHeadings(text: string): readonly Span[] {
  const { body } = new SkillFile('file:///x.skill.md', text);
  const odd = [...(body?.artifacts ?? []), ...(body?.nearKinds ?? []), ...(body?.retiredKinds ?? [])];
  return odd.map(({ heading: { textSpan } }) => textSpan);
}

const byPlace = (lost: readonly Loss[]): readonly Loss[] => [...lost].sort((a, b) => a.span.start - b.span.start);
