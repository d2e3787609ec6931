/** Renames fields of the output in recorded outputs, which are files beside the skill (docs/testing.md). */
import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits } from '../../finding.ts';
import type { SchemaField } from '../../languages/schema/schema.ts';
import { parseJson } from '../../languages/yaml/json.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span, type TextEdit } from '../../text.ts';
import { targetAt } from '../symbol/occurrences.ts';
import { textOf } from '../symbol/schema-place.ts';

/** A file with the text on the disk. */
export interface RecordedOutput {
  readonly uri: string;
  readonly text: string;
}

/** A field of the output of a skill, with the names that lead to it. */
export interface OutputField {
  readonly home: SkillFile;
  readonly path: readonly string[];
}

/** Returns the field of an output at an offset; undefined for other names. */
export function outputFieldAt(analysis: Analysis, file: SkillFile, offset: number): OutputField | undefined {
  const target = targetAt(analysis, file, offset)?.target;
  const home = target?.kind === 'field' ? analysis.file(target.uri) : undefined;
  const fields = home?.contract.output?.schema.fields;
  const path = target?.kind === 'field' && fields ? pathTo(fields, target.key) : undefined;
  return home && path && { home, path };
}

function pathTo(fields: readonly SchemaField[], key: Span): readonly string[] | undefined {
  for (const { name, keySpan, fields: inner } of fields) {
    if (keySpan.start === key.start) return [name];
    const rest = pathTo(inner, key);
    if (rest) return [name, ...rest];
  }
  return undefined;
}

/** Returns the edits that rename a field in a recorded output. Items of lists add no name to the path. Never throws. */
export function editsOfRecorded(
  { uri, text }: RecordedOutput,
  path: readonly string[],
  newName: string,
): FileEdits | undefined {
  const { broken, root } = parseJson(text, span(0, text.length));
  const edits: TextEdit[] = [];
  const visit = (node: YamlNode | undefined, [first, ...rest]: readonly string[]): void => {
    if (node?.kind === 'list') for (const item of node.items) visit(item, [first ?? '', ...rest]);
    if (node?.kind !== 'map') return;
    for (const { key, value } of node.entries) {
      if (textOf(key) !== first) continue;
      if (rest.length > 0) visit(value, rest);
      else edits.push({ span: key.span, newText: JSON.stringify(newName) });
    }
  };
  if (!broken) visit(root, path);
  return edits.length > 0 ? { uri, edits } : undefined;
}
