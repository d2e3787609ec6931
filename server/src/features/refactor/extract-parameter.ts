/**
 * Turns the selected words of a framing or a template into a parameter with these words as its default, so that callers
 * need not change. Samples get the value, too.
 */
import { trimSpan } from '../../languages/markdown/spans.ts';
import { isUsable } from '../../languages/schema/schema.ts';
import { formatJson, insertEntry } from '../../languages/yaml/edit.ts';
import { findValue, type Json } from '../../languages/yaml/node.ts';
import { insertKey } from '../../rules/common/insert-key.ts';
import { AMBIENT_IN_TEMPLATES } from '../../rules/common/template-names.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { readInvocation } from '../../skill/package-samples.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, overlaps, type Span, shift, sliceOf, type TextEdit } from '../../text.ts';
import { saveSample } from '../preview/save-sample.ts';
import { type EditedFile, unedited, withEdits } from './edited-file.ts';
import { siblingsAt } from './extract-include.ts';
import { literalFraming, toTemplate } from './literal-to-template.ts';
import type { Refactoring } from './refactoring.ts';
import { isReadable } from './sections.ts';

/** Longer text is better extracted into a template of its own. */
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
    const declared = withEdits(written, written && declare(written.file, name, value));
    const result = declared && inSamples(declared, name, value);
    const uses = result?.file.templates.flatMap((one) => one.placed.scopes.free) ?? [];
    const nameAt = uses.find((use) => use.name === name)?.span.start;
    if (!result || nameAt === undefined) return undefined;
    return { title: 'Extract into a parameter', result, nameAt, reveals: start.reveals };
  },
};

interface Start {
  readonly result: EditedFile;
  readonly part: Span;
  readonly reveals: boolean;
}

/** The part within a template; literal framing is made a template first. */
function inTemplate(file: SkillFile, part: Span): Start | undefined {
  const passages = literalFraming(file);
  const [passage] = passages ?? [];
  if (!passage || !passages?.some((place) => contains(place, part)))
    return { result: unedited(file), part, reveals: false };
  // Escaped braces would move the places behind them.
  if (passages.length > 1 || /\{[{%#]/.test(sliceOf(file.text, passage))) return undefined;
  const made = toTemplate(file);
  const template = made?.result.file.templates.find(({ artifact }) => artifact.nameSpan?.start === made.nameAt);
  if (!made || !template) return undefined;
  const moved = shift(part, template.span.start - passage.start);
  return { result: made.result, part: moved, reveals: made.reveals ?? false };
}

/** Whether a part is plain text of a template, outside of macros, which do not see the parameters. */
function isText({ templates }: SkillFile, part: Span): boolean {
  const home = templates.find(({ span }) => contains(span, part));
  if (!home || home.source.template.problems.length > 0) return false;
  const node = siblingsAt(home.placed.template.nodes, part)?.find(({ span }) => contains(span, part));
  return node?.kind === 'text' && !node.raw;
}

const RESERVED = 'true false none and or not in is if else elif for endfor loop self super caller'.split(' ');

/** A name from the first words of the text, which no parameter, variable or function has. */
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

function declare(file: SkillFile, name: string, value: string): readonly TextEdit[] {
  const { text, frontmatter, contract } = file;
  const field = formatJson({ type: 'string', default: value });
  const entry = findSkillEntry(frontmatter.tree.root, 'input_schema');
  if (!entry) return insertKey(file, 'input_schema', `\n  ${name}: ${field}`);
  const schema = contract.input?.schema;
  if (!schema || !isUsable(schema)) return [];
  const target = schema.form === 'json-schema' ? findValue(entry.value, 'properties') : entry.value;
  return target && target.kind !== 'list' ? insertEntry(text, target, name, field) : [];
}

/** A sample that cannot be rewritten with small edits goes by the default. */
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
