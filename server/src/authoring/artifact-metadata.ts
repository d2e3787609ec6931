/** Changes of the metadata fence of an artifact (docs/format.md, section 5, "Metadata"). */
import { fenceFor } from '../languages/markdown/fence.ts';
import { canonical, isObject, printYaml } from '../languages/schema/schema.ts';
import { type Json, jsonOf, type YamlNode } from '../languages/yaml/node.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, lineBreakOf, nextLine } from '../text.ts';
import { changeValue } from './change-value.ts';
import { type Rewriting, refusal } from './refusal.ts';
import { type Fields, tooLong } from './set-fields.ts';

/** Sets and removes keys of the metadata of the artifact at a place in the list; a fence is made or taken away as needed. */
export function changeMetadata(
  uri: string,
  text: string,
  at: number,
  set: Fields,
  unset: readonly string[],
): Rewriting {
  const before = metadataAt(uri, text, at);
  const long = tooLong(set);
  if (long) return long;
  if (before && !isObject(jsonOf(before))) return cannotEdit();
  const old = before ? (jsonOf(before) as Fields) : {};
  const kept = Object.entries({ ...old, ...set }).filter(([key]) => !unset.includes(key));
  const wanted: Fields = Object.fromEntries(kept);
  if (canonical(wanted) === canonical(old)) return { text };
  const written = before ? rewritten(uri, text, at, wanted) : withFence(uri, text, at, wanted);
  const after = written === undefined ? undefined : metadataAt(uri, written, at);
  const isMeant = canonical(after ? jsonOf(after) : {}) === canonical(wanted);
  return written !== undefined && isMeant ? { text: written } : cannotEdit();
}

const cannotEdit = () =>
  refusal(
    'not-editable',
    'The metadata of this artifact is written so that no small edit changes it: edit it by hand.',
  );

function metadataAt(uri: string, text: string, at: number): YamlNode | undefined {
  const file = new SkillFile(uri, text);
  const artifact = file.body?.artifacts[at];
  return file.metadata.find((one) => one.artifact === artifact)?.tree.root;
}

function rewritten(uri: string, text: string, at: number, wanted: Fields): string | undefined {
  if (Object.keys(wanted).length === 0) return withoutFence(uri, text, at);
  return changeValue(text, (now) => metadataAt(uri, now, at), [], wanted as Json);
}

function withoutFence(uri: string, text: string, at: number): string | undefined {
  const span = new SkillFile(uri, text).body?.artifacts[at]?.metadata?.fence.span;
  return span && applyEdits(text, [{ span: { start: span.start, end: nextLine(text, span.end - 1) }, newText: '' }]);
}

function withFence(uri: string, text: string, at: number, wanted: Fields): string | undefined {
  const heading = new SkillFile(uri, text).body?.artifacts[at]?.heading;
  if (!heading) return undefined;
  const lineBreak = lineBreakOf(text);
  const yaml = printYaml(wanted).replaceAll('\n', lineBreak);
  const fence = fenceFor(yaml);
  const below = nextLine(text, heading.textSpan.end);
  const lead = below === text.length && !/[\r\n]$/.test(text) ? lineBreak : '';
  const newText = `${lead}${fence}yaml artifact${lineBreak}${yaml}${lineBreak}${fence}${lineBreak}`;
  return applyEdits(text, [{ span: { start: below, end: below }, newText }]);
}
