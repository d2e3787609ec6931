/** Converts a skill to one page of plain Markdown, for clients that have no composer. */

import { chooseFraming } from '../composer/find-framing.ts';
import { groupSkillsByStage } from '../composer/subgraph/execution.ts';
import { codeSpan } from '../languages/markdown/code-fences.ts';
import type { SchemaField } from '../languages/schema/schema.ts';
import { isObject } from '../languages/yaml/json-values.ts';
import { type Json, setProperty } from '../languages/yaml/node.ts';
import { inWords, listed } from '../nearest.ts';
import type {
  PackageArtifact,
  PackageCall,
  PackageExpression,
  PackageReference,
  PackageSkill,
  PackageStage,
  PackageStep,
  Passage,
  SkillPackage,
} from '../skill/package.ts';
import type { Retry } from '../skill/retry.ts';
import { conditionInWords, templateInWords } from './template-in-words.ts';

/** Returns the text of the page, without its title. */
export function pageOf(skill: SkillPackage, context: PageContext): string {
  const { artifacts } = skill;
  const descriptions = artifacts.filter(({ kind }) => kind === 'Description');
  const examples = artifacts.filter(({ kind }) => kind === 'Example');
  const parts = [
    framingOf(skill, context),
    inputsOf(skill),
    ...descriptions.map(
      (one) => `## ${headingOf(one.name, 'Context')}\n\n${whenOf(one)}${proseOf(one.text, one.references, context)}`,
    ),
    toolsOf(skill, context),
    ...stepsOf(skill, context),
    askOf(skill),
    examples.length === 0 ? '' : `## Examples\n\n${examples.map((one) => exampleOf(one, context)).join('\n\n')}`,
    outputOf(skill),
  ];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The section `Steps` has the order of execution, so a Description has another heading. */
const headingOf = (name: string, kind: string): string =>
  name === 'Description' ? kind : /^steps$/i.test(name) ? `${kind}: ${name}` : capital(name);

function framingOf(skill: SkillPackage, context: PageContext): string {
  const framing = chooseFraming(skill);
  if (framing === 'prose') {
    return skill.prose.map((passage) => proseOf(passage, skill.proseReferences, context)).join('\n\n');
  }
  if (framing === undefined || framing === 'none') return '';
  const template = bestTemplate(skill, framing.template);
  if (!template?.template) return '';
  const { text, left } = templateInWords(template.template.text, (name) => bestTemplate(skill, name)?.template?.text);
  for (const what of left) context.leave(what, template);
  const note = /\{[^}\n]+\}/.test(text) ? 'Replace words in braces with the inputs below.\n\n' : '';
  return `${note}${text}`;
}

/** Prefers the variant for all models, because clients do not say which model they use. */
function bestTemplate({ artifacts }: SkillPackage, name: string): PackageArtifact | undefined {
  const named = artifacts.filter((one) => one.kind === 'PromptTemplate' && one.name === name);
  return named.find(({ modelVariant }) => modelVariant === undefined) ?? named[0];
}

function inputsOf({ inputSchema }: SkillPackage): string {
  const fields = inputSchema?.fields ?? [];
  if (fields.length === 0) return '';
  const advice =
    'Take these values from the request and the conversation. Ask for a missing value that has no default.';
  return `## Inputs\n\n${advice}\n\n${fieldList(fields)}`;
}

function outputOf({ outputSchema, exit }: SkillPackage): string {
  const fields = outputSchema?.fields ?? [];
  const done =
    exit.on === 'tool_budget'
      ? `\n\nStop after ${exit.maxToolCalls} tool call${exit.maxToolCalls === 1 ? '' : 's'}.`
      : '';
  return fields.length === 0 ? done : `## Result\n\nWhen you are done, return:\n\n${fieldList(fields)}${done}`;
}

function fieldList(fields: readonly SchemaField[], indent = ''): string {
  return fields
    .map((field) => {
      const { name, type, description, fields: inner } = field;
      const facts = [type, ...mayBeLeftOut(field)];
      const line = `${indent}- ${codeSpan(name)} (${facts.join(', ')})${description ? `: ${description}` : ''}`;
      return inner.length === 0 || indent.length > 4 ? line : `${line}\n${fieldList(inner, `${indent}  `)}`;
    })
    .join('\n');
}

function mayBeLeftOut({ required, default: value }: SchemaField): readonly string[] {
  if (value === undefined) return required ? [] : ['optional'];
  return [`default ${codeSpan(typeof value === 'string' && IS_PLAIN.test(value) ? value : JSON.stringify(value))}`];
}

/** A string on one line without white space at its ends. */
const IS_PLAIN = /^(?!\s)[^\p{Cc}\u2028\u2029]+(?<!\s)$/u;

function toolsOf({ tools }: SkillPackage, { toolName }: PageContext): string {
  if (tools.length === 0) return '';
  const lines = tools.map(({ name, descriptor, optional, constraints }) => {
    const description = descriptor?.description ? `: ${descriptor.description.trim()}` : '';
    const narrowed =
      constraints === undefined ? '' : ` Its input is limited to ${codeSpan(JSON.stringify(constraints))}.`;
    return `- ${codeSpan(toolName(name) ?? name)}${optional ? ' (if it is available)' : ''}${description}${narrowed}`;
  });
  return `## Tools\n\n${lines.join('\n')}`;
}

/** Returns a section that describes the interrupts in words, because clients do not pause a skill by themselves. */
function askOf({ interrupts }: SkillPackage): string {
  if (interrupts.length === 0) return '';
  const lines = interrupts.map(({ name, when, message }) => {
    const only = when === undefined ? '' : `, if ${conditionInWords(when.source)}`;
    return `- ${capital(name.replace(/^on_/, 'on ').replaceAll('_', ' '))}${only}${message === undefined ? '.' : `: “${message.trim()}”`}`;
  });
  return `## When to stop and ask\n\n${lines.join('\n')}`;
}

function exampleOf({ name, input, output, text, references, tags }: PackageArtifact, context: PageContext): string {
  const side = (title: string, passage: Passage | undefined): string =>
    passage === undefined || passage.length === 0 ? '' : `**${title}**\n\n${proseOf(passage, references, context)}`;
  const sides = [side('Input', input), side('Output', output)].filter((one) => one !== '');
  const body = sides.length > 0 ? sides.join('\n\n') : proseOf(text, references, context);
  const about = tags.length === 0 ? '' : `*For ${inWords(tags, 'or')}.*\n\n`;
  return `### ${capital(name)}\n\n${about}${body}`;
}

// The steps, in the order in which they run: the composed skills and the stages of approaches (docs/composer.md, step 5).

/** Returns the sections with the steps: one for each approach or, for a composite, only one with all steps. */
function stepsOf(skill: SkillPackage, context: PageContext): readonly string[] {
  const approaches = skill.artifacts.filter(({ kind }) => kind === 'Approach');
  if (skill.composes.length > 0) return [compositeSteps(skill, approaches, context)];
  return approaches.map((one) => {
    const heading = one.name === 'Approach' && one.stages.length > 0 ? 'Steps' : capital(one.name);
    return `## ${heading}\n\n${choiceOf(one, approaches)}${proseOf(one.text, one.references, context)}`;
  });
}

/** Returns the sentence that says when the approach applies; an empty string if it always applies. */
const choiceOf = (one: PackageArtifact, approaches: readonly PackageArtifact[]): string =>
  whenOf(one) || (approaches.length > 1 ? '*If no approach above applies.*\n\n' : '');

/**
 * Returns the section `Steps` of a composite. Each composed skill has its own page. The steps of `execution` run before
 * all stages; without `execution`, the approach decides which composed skills run between its stages.
 */
function compositeSteps(skill: SkillPackage, approaches: readonly PackageArtifact[], context: PageContext): string {
  const [only, ...others] = approaches;
  const execution = (skill.execution ?? []).map((step) => stepIn(skill, step, context));
  const withoutStages = (): string => numbered([...execution, ...skillsBefore(skill, [], 0, context)]);
  const sections = (): readonly string[] => {
    if (!only) return [withoutStages()];
    if (others.length === 0 && !only.includeWhen) return [stepsUnder(skill, only, execution, context)];
    const own = approaches.map((one) => {
      return `### ${capital(one.name)}\n\n${choiceOf(one, approaches)}${stepsUnder(skill, one, [], context)}`;
    });
    const isComplete = skill.execution || approaches.some(({ includeWhen }) => !includeWhen);
    return [numbered(execution), ...own, isComplete ? '' : `### Otherwise\n\n${withoutStages()}`];
  };
  const isTaken = skill.prose.some((passage) => passage.some(({ text }) => /^## Steps *$/im.test(text)));
  return joined(
    `## ${isTaken ? 'Order of the steps' : 'Steps'}`,
    'If a step links to a page, read the page and follow the instructions there.',
    ...sections(),
  );
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Returns the composed skills and the stages of one approach as one numbered list, with the text around the stages. */
function stepsUnder(
  skill: SkillPackage,
  { references, beforeStages, afterStages, text, ...approach }: PackageArtifact,
  execution: readonly Item[],
  context: PageContext,
): string {
  const stages = skill.plannerDelegatesShape ? [] : approach.stages;
  const prose = (passage: Passage): string => proseOf(passage, references, context);
  if (stages.length === 0) return joined(numbered([...execution, ...skillsBefore(skill, [], 0, context)]), prose(text));
  const items = stages.flatMap((stage, at) => [...skillsBefore(skill, stages, at, context), stageIn(stage, context)]);
  return joined(prose(beforeStages), numbered([...execution, ...items]), prose(afterStages));
}

/** Returns the composed skills that run before a stage, in the composer's order; none if there is an `execution`. */
function skillsBefore(
  skill: SkillPackage,
  stages: readonly PackageStage[],
  at: number,
  context: PageContext,
): readonly Item[] {
  if (skill.execution) return [];
  const groups = groupSkillsByStage(skill, stages).filter(({ stage }) => stage === at);
  return groups.map(({ entries }) => {
    const [first, ...others] = entries.map(callOf);
    if (first && others.length === 0) return stepIn(skill, first, context);
    const steps = first ? [first, ...others] : [];
    return stepIn(skill, { kind: 'parallel', span: skill.headSpan, steps }, context);
  });
}

/** Returns the text of a list item for the given indent of its further lines. */
type Item = (indent: string) => string;

const numbered = (items: readonly Item[]): string =>
  items
    .map((item, at) => {
      const marker = `${at + 1}. `;
      return marker + item(' '.repeat(marker.length));
    })
    .join('\n');

const stepIn =
  ({ composes }: SkillPackage, step: PackageStep, { linkTo }: PageContext): Item =>
  (indent) =>
    stepOf(step, indent, { bySteps: new Map(composes.map((one) => [one.step, one])), linkTo });

/** Returns a stage with the indent of its new marker. */
const stageIn =
  ({ span, text, references }: PackageStage, context: PageContext): Item =>
  (indent) => {
    const width = (text[0]?.span.start ?? span.start) - span.start;
    const [first = '', ...others] = proseOf(text, references, context).split('\n');
    const below = others.map((line) => {
      const own = /^ */.exec(line)?.[0].length ?? 0;
      return line.trim() === '' ? '' : indent + line.slice(Math.min(own, width));
    });
    return [first, ...below].join('\n');
  };

const callOf = ({ step, span }: PackageSkill): PackageCall => ({
  ...{ kind: 'step', name: step, span },
  ...{ condition: undefined, keepWhen: undefined, inputs: undefined, retry: undefined },
});

interface Known extends Pick<PageContext, 'linkTo'> {
  readonly bySteps: ReadonlyMap<string, PackageSkill>;
}

/** Returns a step in words. Steps nest no deeper than their YAML, whose depth is limited. */
function stepOf(step: PackageStep, indent: string, known: Known): string {
  const below = (steps: readonly PackageStep[]): string =>
    steps.map((one) => `\n${indent}- ${stepOf(one, `${indent}  `, known)}`).join('');
  switch (step.kind) {
    case 'step':
      return callInWords(step, known);
    case 'parallel':
      return `In any order, or in parallel:${below(step.steps)}`;
    case 'branch': {
      const arms = step.arms.map(({ condition, steps }, at) => {
        const lead =
          condition === undefined ? 'Otherwise' : `${at === 0 ? 'If' : 'Otherwise, if'} ${referenceInWords(condition)}`;
        return `${lead}:${steps.length === 0 ? ' nothing.' : below(steps)}`;
      });
      return arms.join(`\n\n${indent}`);
    }
    case 'speculate': {
      const until = step.until ? callInWords(step.until, known) : '';
      return `Start these early, and discard results that the last one makes unnecessary:${below(step.steps)}\n${indent}- Last: ${until}`;
    }
  }
}

function callInWords({ name, condition, keepWhen, inputs, retry }: PackageCall, { bySteps, linkTo }: Known): string {
  const entry = bySteps.get(name);
  const skill = entry?.name ?? name;
  const link = linkTo(skill);
  const page = link === undefined ? `the skill ${codeSpan(skill)}` : `[${skill}](${link})`;
  const own = name === skill ? '' : `**${name}**: `;
  const given = [...mapped(entry), ...(isObject(inputs) ? Object.entries(inputs) : [])].map(([key, value]) =>
    valueAs(key, valueInWords(value)),
  );
  const lead = condition === undefined ? '' : `If ${referenceInWords(condition)}: `;
  const sentence = `${own}${lead}follow ${page}${given.length > 0 ? ` with ${listed(given)}` : ''}`;
  const renamed = Object.entries(entry?.outputMapping ?? {}).map(
    ([from, to]) => `${codeSpan(from)} as ${codeSpan(to)}`,
  );
  const more = [
    renamed.length > 0 ? ` Keep its ${renamed.join(', ')}.` : '',
    keepWhen === undefined ? '' : ` Discard its result unless ${referenceInWords(keepWhen)}.`,
    retryInWords(retry ?? (typeof entry?.package === 'object' ? entry.package.retry : undefined)),
  ];
  const text = `${sentence}.${more.join('')}`;
  return text.startsWith('*') ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** The retry of a step takes precedence over that of its skill. */
function retryInWords(retry: Retry | undefined): string {
  if (retry === undefined || retry.maxAttempts < 2) return '';
  const errors = retry.retryOn.length === 0 ? '' : ` with ${inWords(retry.retryOn, 'or')}`;
  return ` If it fails${errors}, try again, at most ${retry.maxAttempts} times in total.`;
}

/**
 * Returns the mapped inputs of a composed skill: the skill's own name for each input, and the reference to the input's
 * value.
 */
function mapped(entry: PackageSkill | undefined): readonly (readonly [string, Json])[] {
  const own: Record<string, Json> = {};
  for (const [from, to] of Object.entries(entry?.inputMapping ?? {})) setProperty(own, to, `$input.${from}`);
  return Object.entries(own);
}

/** Returns a value followed by the input's name, or only the value if the value and the name are the same. */
const valueAs = (name: string, value: string): string =>
  value === codeSpan(name) ? value : `${value} as ${codeSpan(name)}`;

function valueInWords(value: Json): string {
  if (typeof value !== 'string' || !value.startsWith('$')) return codeSpan(JSON.stringify(value));
  return named(value);
}

/** Returns a condition of a step with its references in words. */
const referenceInWords = ({ source }: PackageExpression): string =>
  source
    .replace(/\$[\w-]+(?:\.[\w-]+)*/g, named)
    .replace(/\s*==\s*true\b/g, ' is true')
    .replace(/\s*==\s*/g, ' is ')
    .replace(/\s*!=\s*/g, ' is not ')
    .replace(/"([^"]*)"|'([^']*)'/g, (text, one?: string, other?: string) => codeSpan(one || other || text));

/** Returns `$input.x` or `$step.output.x` in words. */
function named(reference: string): string {
  const [first = '', ...rest] = reference.slice(1).split('.');
  if (first === 'input') return codeSpan(rest.join('.'));
  const field = rest.slice(rest[0] === 'output' ? 1 : 0).join('.');
  return field === '' ? `the result of ${first}` : `the ${codeSpan(field)} of ${first}`;
}

// The text of a page.

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns authored text with its references as plain names and links, which every client can show. */
function proseOf(passage: Passage, references: readonly PackageReference[], context: PageContext): string {
  const text = passage.map(({ text: own, span }) => {
    const inside = references.filter((one) => span.start <= one.span.start && one.span.end <= span.end);
    return inside
      .toSorted((a, b) => b.span.start - a.span.start)
      .reduce((now, one) => {
        const [from, to] = [one.span.start - span.start, one.span.end - span.start];
        return now.slice(0, from) + referenceOf(one, context) + now.slice(to);
      }, own);
  });
  return text.join('').trim();
}

function referenceOf({ kind, name }: PackageReference, { toolName, linkTo }: PageContext): string {
  if (kind === 'tool') return codeSpan(toolName(name) ?? name);
  if (kind === 'skill') {
    const link = linkTo(name);
    return link === undefined ? codeSpan(name) : `[${name}](${link})`;
  }
  return kind === 'interrupt' ? `${codeSpan(name)} (stop and ask)` : `“${name}”`;
}

function whenOf({ includeWhen }: PackageArtifact): string {
  return includeWhen === undefined || includeWhen.source === 'true'
    ? ''
    : `*Only when ${conditionInWords(includeWhen.source)}.*\n\n`;
}

/** The names and links that a page needs from outside its skill. */
export interface PageContext {
  /** Returns the client's name for a tool; undefined if the catalog has no such name. */
  readonly toolName: (name: string) => string | undefined;
  /** Returns the link from this page to the page of a skill; undefined if that skill has no page. */
  readonly linkTo: (skill: string) => string | undefined;
  /** Called for each statement that cannot be written in words. */
  readonly leave: (what: string, artifact: PackageArtifact) => void;
}
