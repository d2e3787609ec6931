/** A `SKILL.md` as a `.skill.md` (docs/exchange.md, "From SKILL.md"). */
import { valid } from 'semver';
import { formatBlock } from '../languages/yaml/block.ts';
import { formatScalar } from '../languages/yaml/edit.ts';
import { type Json, jsonOf, mapEntries, put, type YamlEntry } from '../languages/yaml/node.ts';
import { asJson, isObject } from '../languages/yaml/same-json.ts';
import { kebabName } from '../skill/kebab-name.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, type Span, type TextEdit } from '../text.ts';
import { folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { checkFormat } from '../vocabulary/formats.ts';
import type { Conversion } from './conversion.ts';
import type { Lost } from './lost.ts';

export function agentSkillToSkill(file: SkillFile): Conversion {
  const { frontmatter, text } = file;
  const [problem] = frontmatter.tree.broken ? frontmatter.tree.problems : [];
  if (problem) return { problem: `Its frontmatter does not parse: ${problem.message}`, span: problem.span };
  const name = kebabName(file.contract.name?.name ?? nameFromUri(file.uri)) ?? 'skill';
  const lost: Lost[] = [];
  const entries = entriesOf(mapEntries(frontmatter.tree.root), name, lost);
  const head = entries.map(([key, value]) => {
    const yaml = formatBlock(value);
    return `${formatScalar(key, true)}:${yaml.startsWith('\n') ? '' : ' '}${yaml}\n`;
  });
  const body = text.slice(frontmatter.bodyStart).replace(/^(?:[ \t]*\r?\n)+/, '');
  const skill = asProse(`---\n${head.join('')}---\n\n${body}`);
  const title = file.body?.title;
  if (title)
    lost.push({ what: 'title', span: title.span, why: 'It stays in the file, but composing ignores a title.' });
  return { files: [{ path: `${name}.skill.md`, text: skill }], lost, along: { from: folderOf(file.uri), to: '' } };
}

/** The frontmatter's entries: what the format knows under its names, all else with `x-` before it. */
function entriesOf(written: readonly YamlEntry[], name: string, lost: Lost[]): readonly (readonly [string, Json])[] {
  const entries: Record<string, Json> = { name };
  const others: Record<string, Json> = {};
  const metadata: Record<string, Json> = {};
  let version: string | undefined;
  let place: Span = { start: 0, end: 0 };
  for (const { key, value, span } of written) {
    const word = String(key.value);
    const json = asJson(jsonOf(value));
    if (word === 'name') {
      place = span;
      if (typeof json === 'string' && json !== name) put(entries, 'title', json);
    } else if (word === 'description') put(entries, word, typeof json === 'string' ? json : '');
    else if (word === 'license' && typeof json === 'string' && !checkFormat(json, 'spdx', word))
      put(entries, word, json);
    else if (word === 'metadata' && isObject(json)) {
      for (const [inner, one] of Object.entries(json)) {
        if (inner === 'version' && valid(String(one)) !== null) version = String(one);
        else if (inner === 'author' && typeof one === 'string') put(entries, inner, one);
        else put(metadata, inner, one);
      }
    } else put(others, word.startsWith('x-') ? word : `x-${word}`, json);
  }
  if (version === undefined) {
    lost.push({ what: 'version', span: place, why: 'A `SKILL.md` need not have one; the skill begins with `1.0.0`.' });
  }
  if (Object.keys(metadata).length > 0) put(others, 'x-metadata', metadata);
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

/** Headings that this format would read as artifacts are put in bold, so that they stay prose. */
function asProse(text: string): string {
  const { body } = new SkillFile('file:///x.skill.md', text);
  const odd = [...(body?.artifacts ?? []), ...(body?.nearKinds ?? []), ...(body?.retiredKinds ?? [])];
  const edits = odd.map(({ heading: { textSpan } }): TextEdit => {
    const { start, end } = textSpan;
    return { span: textSpan, newText: `**${text.slice(start, end)}**` };
  });
  return applyEdits(text, edits);
}
