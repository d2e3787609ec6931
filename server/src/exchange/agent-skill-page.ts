/** Converts a skill to one page of plain Markdown, for clients that have no composer. */

import { chooseFraming } from '../composer/find-framing.ts';
import { codeSpan } from '../languages/markdown/fence.ts';
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
  PackageStep,
  Passage,
  SkillPackage,
} from '../skill/package.ts';
import { conditionInWords, templateInWords } from './template-in-words.ts';

/** Returns the text of the page, without its title. */
export function pageOf(skill: SkillPackage, context: PageContext): string {
  const { artifacts } = skill;
  const descriptions = artifacts.filter(({ kind }) => kind === 'Description');
  const approaches = artifacts.filter(({ kind }) => kind === 'Approach');
  const examples = artifacts.filter(({ kind }) => kind === 'Example');
  const parts = [
    framingOf(skill, context),
    inputsOf(skill),
    ...descriptions.map(
      (one) => `## ${headingOf(one.name, 'Context')}\n\n${whenOf(one)}${proseOf(one.text, one.references, context)}`,
    ),
    toolsOf(skill, context),
    ...approaches.map((one) => approachOf(one, approaches.length, context)),
    stepsOf(skill, context),
    askOf(skill),
    examples.length === 0 ? '' : `## Examples\n\n${examples.map((one) => exampleOf(one, context)).join('\n\n')}`,
    outputOf(skill),
  ];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const headingOf = (name: string, kind: string): string => (name === 'Description' ? kind : capital(name));

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

function approachOf(one: PackageArtifact, count: number, context: PageContext): string {
  const isNamed = one.name !== 'Approach';
  const heading = isNamed ? capital(one.name) : one.stages.length > 0 ? 'Steps' : 'Approach';
  const text = proseOf(one.text, one.references, context);
  const first = count > 1 && one.includeWhen === undefined ? '*If no approach above applies.*\n\n' : '';
  return `## ${heading}\n\n${whenOf(one) || first}${text}`;
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

/** Returns the steps of a composite as a numbered list. Each composed skill has its own page. */
function stepsOf({ composes, execution }: SkillPackage, { linkTo }: PageContext): string {
  if (composes.length === 0) return '';
  const bySteps = new Map(composes.map((one) => [one.step, one]));
  const steps: readonly PackageStep[] = execution ?? composes.map(callOf);
  const lines = steps.map((step, at) => `${at + 1}. ${stepOf(step, '   ', { bySteps, linkTo })}`);
  return `## Steps\n\nFor each step, read its page and follow the instructions there.\n\n${lines.join('\n')}`;
}

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
    retry === undefined ? '' : ` If it fails, try again, at most ${retry.maxAttempts} times in total.`,
  ];
  const text = `${sentence}.${more.join('')}`;
  return text.startsWith('*') ? text : text.charAt(0).toUpperCase() + text.slice(1);
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

/** The names and links that a page needs from outside its skill. */
export interface PageContext {
  /** Returns the client's name for a tool; undefined if the catalog has no such name. */
  readonly toolName: (name: string) => string | undefined;
  /** Returns the link from this page to the page of a skill; undefined if that skill has no page. */
  readonly linkTo: (skill: string) => string | undefined;
  /** Called for each statement that cannot be written in words. */
  readonly leave: (what: string, artifact: PackageArtifact) => void;
}
