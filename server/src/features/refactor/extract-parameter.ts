/**
 * The selected words of a framing or a template as a parameter that has them for its default, so that nobody who invokes
 * the skill has to change. Samples get the value too: there it is to be played with.
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
import { siblingsAt } from './extract-include.ts';
import { literalFraming, toTemplate } from './literal-to-template.ts';
import type { Refactoring } from './refactoring.ts';
import { isReadable } from './sections.ts';
import { begin, type Steps, then } from './steps.ts';

/** What is longer is a section, and goes into a template of its own. */
const LONGEST = 200;

export const extractParameter: Refactoring = {
  kind: 'refactor.extract',
  rewrite({ file, selection }) {
    const { text } = file;
    const part = trimSpan(text, selection);
    const value = sliceOf(text, part);
    if (!isReadable(file) || value === '' || value.length > LONGEST || /[\r\n]/.test(value)) return undefined;
    if (file.body?.references.some(({ span }) => overlaps(span, part))) return undefined;
    const start = inTemplate(file, part);
    if (!start || !isText(start.steps.file, start.part)) return undefined;
    const name = freeParameter(file, value);
    const written = then(start.steps, [{ span: start.part, newText: `{{ ${name} }}` }]);
    const declared = then(written, written && declare(written.file, name, value));
    const steps = declared && inSamples(declared, name, value);
    const uses = steps?.file.templates.flatMap((one) => one.placed.scopes.free) ?? [];
    const nameAt = uses.find((use) => use.name === name)?.span.start;
    if (!steps || nameAt === undefined) return undefined;
    return { title: 'Extract into a parameter', steps, nameAt, reveals: start.reveals };
  },
};

interface Start {
  readonly steps: Steps;
  readonly part: Span;
  readonly reveals: boolean;
}

/** The part in a template: literal framing becomes one first. */
function inTemplate(file: SkillFile, part: Span): Start | undefined {
  const passages = literalFraming(file);
  const [passage] = passages ?? [];
  if (!passage || !passages?.some((place) => contains(place, part)))
    return { steps: begin(file), part, reveals: false };
  // Braces are written another way there, so that places behind them move.
  if (passages.length > 1 || /\{[{%#]/.test(sliceOf(file.text, passage))) return undefined;
  const made = toTemplate(file);
  const template = made?.steps.file.templates.find(({ artifact }) => artifact.nameSpan?.start === made.nameAt);
  if (!made || !template) return undefined;
  const moved = shift(part, template.span.start - passage.start);
  return { steps: made.steps, part: moved, reveals: made.reveals ?? false };
}

/** True for a stretch of text in a template, outside of macros, which do not see what is passed to the skill. */
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
function inSamples(steps: Steps, name: string, value: Json): Steps {
  return steps.file.contract.samples.reduce((so, sample) => {
    const node = so.file.contract.samples.find((one) => one.name === sample.name)?.value;
    if (node?.kind !== 'map') return so;
    const invocation = readInvocation(node);
    const saved = saveSample(so.file, sample.name, {
      ...invocation,
      parameters: { ...invocation.parameters, [name]: value },
    });
    return 'edits' in saved ? (then(so, saved.edits) ?? so) : so;
  }, steps);
}
