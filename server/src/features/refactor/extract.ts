/**
 * Extracts the selected text into a parameter or a template. The text becomes the default of a parameter, so that
 * callers need not change, and is also added to the samples.
 */

import { literalFraming } from '../../analysis/literal-framing.ts';
import { AMBIENT_IN_TEMPLATES } from '../../analysis/template-code.ts';
import { inferSchema } from '../../exchange/infer-schema.ts';
import { trimSpan } from '../../languages/markdown/spans.ts';
import type { Node } from '../../languages/minijinja/ast.ts';
import { isUsable, printYaml } from '../../languages/schema/schema.ts';
import { formatJson, formatScalar, insertEntry } from '../../languages/yaml/edit.ts';
import { findValue, type Json, type YamlEntry } from '../../languages/yaml/node.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import {
  type EditedFile,
  freeName,
  insertSection,
  isReadable,
  templateSection,
  unedited,
  withEdits,
} from '../../skill/edited-file.ts';
import { insertKey } from '../../skill/insert-key.ts';
import { readInvocation } from '../../skill/package-samples.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import {
  contains,
  endOfLine,
  lineBreakOf,
  lineStart,
  overlaps,
  type Span,
  shift,
  sliceOf,
  span,
  type TextEdit,
} from '../../text.ts';
import { saveSample } from '../preview/samples.ts';
import { bodiesOf } from '../symbol/macros.ts';
import { toTemplate } from './framing-form.ts';
import type { Refactoring } from './refactoring.ts';

/** The maximum length of a parameter value. Longer text should be a separate template. */
const MAX_LENGTH = 200;

export const extractParameter: Refactoring = {
  kind: 'refactor.extract',
  rewrite({ file, selection }) {
    const { text } = file;
    const part = trimSpan(text, selection);
    const value = sliceOf(text, part);
    if (!isReadable(file) || value === '' || value.length > MAX_LENGTH || /[\r\n]/.test(value)) return undefined;
    if (file.body?.references.some(({ span }) => overlaps(span, part))) return undefined;
    const start = inTemplate(file, part);
    if (!start || !isText(start.result.file, start.part)) return undefined;
    const name = freeParameter(file, value);
    const written = withEdits(start.result, [{ span: start.part, newText: `{{ ${name} }}` }]);
    const typed = typedValue(value);
    const declared = withEdits(written, written && declare(written.file, name, typed));
    const result = declared && inSamples(declared, name, typed);
    const uses = result?.file.templates.flatMap((one) => one.inFile.scopes.undefinedUses) ?? [];
    const nameAt = uses.find((use) => use.name === name)?.span.start;
    if (!result || nameAt === undefined) return undefined;
    return { title: 'Extract into a parameter', result, nameAt, revealsUnused: start.reveals };
  },
};

interface Start {
  readonly result: EditedFile;
  readonly part: Span;
  readonly reveals: boolean;
}

/** Returns the selection in a template; first converts literal framing to a template. */
function inTemplate(file: SkillFile, part: Span): Start | undefined {
  const passages = literalFraming(file);
  const [passage] = passages ?? [];
  if (!passage || !passages?.some((place) => contains(place, part)))
    return { result: unedited(file), part, reveals: false };
  // Escaping braces would change the offsets of the text after the braces.
  if (passages.length > 1 || /\{[{%#]/.test(sliceOf(file.text, passage))) return undefined;
  const made = toTemplate(file);
  const template = made?.result.file.templates.find(({ artifact }) => artifact.nameSpan?.start === made.nameAt);
  if (!made || !template) return undefined;
  const moved = shift(part, template.span.start - passage.start);
  return { result: made.result, part: moved, reveals: made.revealsUnused ?? false };
}

/** Returns whether a part is plain text in a template, and outside macros, which cannot read the parameters. */
function isText({ templates }: SkillFile, part: Span): boolean {
  const home = templates.find(({ span }) => contains(span, part));
  if (!home || home.source.template.problems.length > 0) return false;
  const node = siblingsAt(home.inFile.template.nodes, part)?.find(({ span }) => contains(span, part));
  return node?.kind === 'text' && !node.raw;
}

const RESERVED = 'true false none and or not in is if else elif for endfor loop self super caller'.split(' ');

/** Returns an unused name made from the first words of the text. */
function freeParameter({ contract, templates }: SkillFile, value: string): string {
  const taken = new Set([
    ...RESERVED,
    ...AMBIENT_IN_TEMPLATES,
    ...(contract.input?.schema.fields ?? []).map((field) => field.name),
    ...templates.flatMap(({ source: { scopes } }) => [...scopes.variables, ...scopes.uses].map((one) => one.name)),
  ]);
  const words = (value.toLowerCase().match(/[a-z0-9]+/g) ?? []).slice(0, 3).join('_').slice(0, 30);
  const wanted = /^[a-z]/.test(words) ? words : 'value';
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  return name;
}

/** Returns the number or the boolean that text is if a template renders it as the same text; otherwise the text. */
function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const isNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,5}[1-9])?$/.test(text);
  return isNumber && String(Number(text)) === text ? Number(text) : text;
}

/** The maximum length of a line with a map in braces. */
const MAX_LINE = 80;

function declare(file: SkillFile, name: string, value: string | number | boolean): readonly TextEdit[] {
  const { text, frontmatter, contract } = file;
  const type = typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
  const field = { type, default: value };
  const entry = findSkillEntry(frontmatter.tree.root, 'input_schema');
  const isLong = name.length + formatJson(field).length + 4 > MAX_LINE;
  const lines = printText(value) ?? printYaml(field);
  const inBlock = isLong ? `\n${lines.replace(/^/gm, '  ')}` : formatJson(field);
  const written = `${name}:${isLong ? '' : ' '}${inBlock}`;
  if (!entry) {
    // Without a schema, no name is checked. With one, each name that is not in it is undefined.
    const { [name]: _, ...others } = inferSchema(file.templates.map(({ source }) => source.template.text));
    const fields = Object.entries(others).map(([other, its]) => `${other}: ${formatJson(its)}`);
    return insertKey(
      file,
      'input_schema',
      [...fields, written].map((one) => `\n  ${one.replaceAll('\n', '\n  ')}`).join(''),
    );
  }
  const schema = contract.input?.schema;
  if (!schema || !isUsable(schema)) return [];
  const target = schema.form === 'json-schema' ? findValue(entry.value, 'properties') : entry.value;
  if (!target || target.kind === 'list') return [];
  const isFlow = target.kind === 'map' && target.flow;
  const rewritten = isFlow && target === entry.value ? asBlock(text, entry, written) : undefined;
  return rewritten ?? insertEntry(text, target, name, isFlow ? formatJson(field) : inBlock);
}

/** Returns a field for a text that is longer than a line, with the default on several lines; undefined for other values. */
function printText(value: string | number | boolean): string | undefined {
  if (typeof value !== 'string' || value.length <= MAX_LINE || !/^[^\s\p{C}]+(?: [^\s\p{C}]+)*$/u.test(value))
    return undefined;
  const lines: string[] = [''];
  for (const word of value.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length + 1 > MAX_LINE) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return ['type: string', 'default: >-', ...lines.map((line) => `  ${line}`)].join('\n');
}

/**
 * Returns the edit that writes a schema in braces as one field per line, with one more field, if the braces are empty or
 * the line would be long; undefined if the schema has several lines or a comment.
 */
function asBlock(text: string, { key, value }: YamlEntry, field: string): readonly TextEdit[] | undefined {
  if (value.kind !== 'map') return undefined;
  const source = sliceOf(text, value.span);
  const lineEnd = endOfLine(text, value.span.end);
  const colon = text.indexOf(':', key.span.end);
  // An anchor or a tag can be before the brace.
  const around = text.slice(colon + 1, value.span.start) + text.slice(value.span.end, lineEnd);
  const isAlone = around.trim() === '' && !/[\r\n#&*]/.test(source);
  const length = lineEnd - lineStart(text, key.span.start) + field.length + 2;
  if (!isAlone || columnOf(text, key) > 0 || (value.entries.length > 0 && length <= MAX_LINE)) return undefined;
  const fields = value.entries.map((one) => sliceOf(text, span(one.key.span.start, one.value.span.end)));
  const lines = [...fields, field].map((one) => `\n  ${one.replaceAll('\n', '\n  ')}`);
  const newText = lines.join('').replaceAll('\n', lineBreakOf(text));
  return [{ span: span(colon + 1, value.span.end), newText }];
}

const columnOf = (text: string, key: YamlEntry['key']): number => key.span.start - lineStart(text, key.span.start);

/** Adds the value to all samples. A sample that cannot be edited uses the default. */
function inSamples(result: EditedFile, name: string, value: Json): EditedFile {
  return result.file.contract.samples.reduce((changed, sample) => {
    const node = changed.file.contract.samples.find((one) => one.name === sample.name)?.value;
    if (node?.kind !== 'map') return changed;
    const invocation = readInvocation(node);
    const saved = saveSample(changed.file, sample.name, {
      ...invocation,
      parameters: { ...invocation.parameters, [name]: value },
    });
    return 'edits' in saved ? (withEdits(changed, saved.edits) ?? changed) : changed;
  }, result);
}

/** Moves the selected part of a template to a new template, and replaces it with an `include`. */
export const extractInclude: Refactoring = {
  kind: 'refactor.extract',
  rewrite({ file, selection }) {
    if (!isReadable(file)) return undefined;
    const part = trimSpan(file.text, selection);
    const home = file.templates.find(({ span }) => contains(span, part));
    if (!home || part.start === part.end || !isWhole(home, part)) return undefined;
    const name = freeName(file, 'PromptTemplate', 'part');
    for (const isFenced of home.artifact.template?.fence ? [true] : [false, true]) {
      const result = keepFraming(file, home, extracted(file, home, part, name, isFenced));
      const made = result?.file.templates.find(({ artifact }) => artifact.name === name);
      if (!result || made?.source.template.text !== sliceOf(file.text, part)) continue;
      return { title: 'Extract into an included template', result, nameAt: made.artifact.nameSpan?.start ?? 0 };
    }
    return undefined;
  },
};

function extracted(
  file: SkillFile,
  home: SkillTemplate,
  part: Span,
  name: string,
  isFenced: boolean,
): EditedFile | undefined {
  const { text } = file;
  const at = (offset: number) =>
    home.inFile.template.tags.find(({ span }) => span.start <= offset && offset < span.end);
  // The include trims the text around it as the tags at the edges of the selection did.
  const include = `{%${at(part.start)?.trimBefore ?? ''} include "${name}" ${at(part.end - 1)?.trimAfter ?? ''}%}`;
  const section = templateSection(name, sliceOf(text, part), isFenced, lineBreakOf(text));
  return withEdits(unedited(file), [
    { span: part, newText: include },
    insertSection(text, home.artifact.span.end, section),
  ]);
}

/** Adds `framing` if needed: with one template, this template is the framing; with two, `framing` must name one. */
function keepFraming(file: SkillFile, home: SkillTemplate, result: EditedFile | undefined): EditedFile | undefined {
  const isAlone = new Set(file.templates.map(({ artifact }) => artifact.name)).size === 1;
  const isNamed = findSkillEntry(file.frontmatter.tree.root, 'framing') !== undefined;
  if (!result || !isAlone || isNamed || literalFraming(file)) return result;
  return withEdits(result, insertKey(result.file, 'framing', formatScalar(home.artifact.name)));
}

/** Returns whether a part contains only complete tags and blocks, and defines no names for the text after it. */
function isWhole(home: SkillTemplate, part: Span): boolean {
  const { template, scopes } = home.inFile;
  if (template.problems.length > 0) return false;
  const nodes = siblingsAt(template.nodes, part);
  const chosen = nodes?.filter(({ span }) => overlaps(span, part));
  if (!chosen || chosen.length === 0) return false;
  const isUncut = chosen.every((node) => (node.kind === 'text' ? !node.raw : contains(part, node.span)));
  // `caller` is defined only in the body of a macro, and `loop` only in its `for`.
  const isFree = scopes.uses.every(
    ({ span, variable }) => !contains(part, span) || !variable?.implicit || contains(part, variable.scope.span),
  );
  return isUncut && isFree && chosen.every(definesNothing);
}

/** Returns the sibling nodes at a part; undefined if the part splits a tag or is in a macro. */
function siblingsAt(nodes: readonly Node[], part: Span): readonly Node[] | undefined {
  const holder = nodes.find((node) => contains(node.span, part) && node.kind !== 'text');
  if (!holder || contains(part, holder.span)) return nodes;
  if (!TRANSPARENT_BLOCKS.has(holder.kind)) return undefined;
  const body = bodiesOf(holder).find(({ span }) => contains(span, part));
  return body && siblingsAt(body.nodes, part);
}

/** The blocks in which an include can read the surrounding variables. */
const TRANSPARENT_BLOCKS: ReadonlySet<Node['kind']> = new Set(['if', 'for', 'with', 'filter-block']);
const DEFINING_NOTHING: ReadonlySet<Node['kind']> = new Set([
  'text',
  'output',
  'comment',
  'if',
  'for',
  'with',
  'include',
]);

const definesNothing = (node: Node): boolean =>
  DEFINING_NOTHING.has(node.kind) && bodiesOf(node).every(({ nodes }) => nodes.every(definesNothing));
