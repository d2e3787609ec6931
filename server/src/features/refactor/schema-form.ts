/** Converts a schema from shorthand to JSON Schema, and back if no information is lost. */
import { canonical, isObject, type JsonObject, printYaml, toShorthand } from '../../languages/schema/schema.ts';
import { formatJson, formatScalar } from '../../languages/yaml/edit.ts';
import type { Json, YamlEntry } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { unedited, withEdits } from '../../skill/edited-file.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { afterBreak, applyEdits, endOfLine, lineBreakOf, lineStart, span, type TextEdit, touches } from '../../text.ts';
import { aliasesIn } from '../format/key-order.ts';
import type { Refactoring } from './refactoring.ts';

const KEYS = ['input_schema', 'output_schema'] as const;

export const schemaForm: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite({ file, selection }) {
    const { dialect, frontmatter, contract } = file;
    if ((dialect !== 'composer' && dialect !== 'contract') || frontmatter.tree.broken) return undefined;
    const which = KEYS.find((key) => {
      const entry = findSkillEntry(frontmatter.tree.root, key);
      return entry && touches(entry.span, selection.start);
    });
    const { entry, schema } = (which === 'input_schema' ? contract.input : which && contract.output) ?? {};
    if (!which || !entry || !schema || schema.problems.length > 0 || !isPlain(file, entry)) return undefined;
    if (schema.form === 'empty') return undefined;
    const isShort = schema.form === 'shorthand';
    const other: JsonObject | undefined = isShort ? schema.json : toShorthand(schema.json);
    const result =
      other && withEdits(unedited(file), replaceValue(file, entry, isShort ? printYaml(other) : printFields(other)));
    const after = result && (which === 'input_schema' ? result.file.contract.input : result.file.contract.output);
    const isSame = after && after.schema.problems.length === 0 && meaning(after.schema.json) === meaning(schema.json);
    if (!result || !isSame || after.schema.form === schema.form) return undefined;
    const key = String(entry.key.value);
    return { title: `Convert \`${key}\` to ${isShort ? 'JSON Schema' : 'shorthand'}`, result };
  },
};

/** Prints shorthand with each field on one line if the line is not too long. */
function printFields(fields: JsonObject): string {
  const lines = Object.entries(fields).map(([name, written]) => {
    const field = withoutExcess(written);
    const isFlat = isObject(field) && Object.values(field).every((value) => typeof value !== 'object');
    const line = `${formatScalar(name, true)}: ${typeof field === 'string' ? formatScalar(field) : formatJson(field)}`;
    const fits = typeof field === 'string' || (isFlat && line.length <= LONGEST_LINE);
    return fits ? line : printYaml({ [name]: field });
  });
  return lines.join('\n');
}

const LONGEST_LINE = 100;

/** Removes `required: false` from a field with a default, which is always optional. */
function withoutExcess(field: Json): Json {
  if (!isObject(field) || field.default === undefined || field.required !== false) return field;
  const { required: _, ...rest } = field;
  return rest;
}

/** Returns a string that is equal for equivalent schemas; the order of `required` does not matter. */
const meaning = (json: JsonObject): string =>
  canonical(
    JSON.parse(
      JSON.stringify(json, (key, value) => (key === 'required' && Array.isArray(value) ? [...value].sort() : value)),
    ),
  );

/** Returns false if comments, anchors or aliases in the value would be lost. */
function isPlain({ text, frontmatter }: SkillFile, { value }: YamlEntry): boolean {
  const { start, end } = value.span;
  if (frontmatter.tree.comments.some(({ span: place }) => start <= place.start && place.start < end)) return false;
  return value.kind === 'map' && aliasesIn(text, value).length === 0 && !/[&!]\S*\s*$/.test(text.slice(0, start));
}

/** Returns the edits that write the block below the key; a comment on the line of the key stays there. */
function replaceValue({ uri, text }: SkillFile, entry: YamlEntry, yaml: string): readonly TextEdit[] {
  const { key, value } = entry;
  const lineBreak = lineBreakOf(text);
  const column = key.span.start - lineStart(text, key.span.start);
  const block = (indent: number) => yaml.split('\n').join(lineBreak + ' '.repeat(indent));
  const { start, end } = value.span;
  const begins = lineStart(text, start);
  if (begins > key.span.end) {
    const indent = start - begins;
    return text.slice(begins, start).trim() === '' ? [{ span: value.span, newText: block(indent) }] : [];
  }
  const colon = text.indexOf(':', key.span.end);
  const line = endOfLine(text, end);
  const below = `${lineBreak}${' '.repeat(column + 2)}${block(column + 2)}`;
  const edits = [
    { span: span(colon + 1, end), newText: '' },
    { span: span(line, line), newText: below },
  ];
  // Other text after the value on its line is the next key of a map in braces.
  const rest = text.slice(end, line).trim();
  const isAlone = rest === '' || rest.startsWith('#');
  return isAlone &&
    afterBreak(text, line) >= line &&
    !new SkillFile(uri, applyEdits(text, edits)).frontmatter.tree.broken
    ? edits
    : [];
}
