/** Converts a skill to one page of plain Markdown, for clients that have no composer. */

import { chooseFraming } from '../composer/find-framing.ts';
import { codeSpan } from '../languages/markdown/code-fences.ts';
import type { SchemaField } from '../languages/schema/schema.ts';
import { inWords } from '../nearest.ts';
import type { PackageArtifact, Passage, SkillPackage } from '../skill/package.ts';
import { capital, type PageContext, proseOf, stepsOf, whenOf } from './agent-skill-steps.ts';
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
