/** What a composite runs, as a numbered list: each part is a page of its own, and its result goes on to the next. */
import { codeSpan } from '../languages/markdown/fence.ts';
import { type Json, put } from '../languages/yaml/node.ts';
import { isObject } from '../languages/yaml/same-json.ts';
import { listed } from '../nearest.ts';
import type { PackageCall, PackageExpression, PackageSkill, PackageStep, SkillPackage } from '../skill/package.ts';
import type { PageContext } from './page-context.ts';

export function stepsOf({ composes, execution }: SkillPackage, { linkTo }: PageContext): string {
  if (composes.length === 0) return '';
  const bySteps = new Map(composes.map((one) => [one.step, one]));
  const steps: readonly PackageStep[] = execution ?? composes.map(callOf);
  const lines = steps.map((step, at) => `${at + 1}. ${stepOf(step, '   ', { bySteps, linkTo })}`);
  return `## Steps\n\nRead the page of each part when its turn comes, and do what it says.\n\n${lines.join('\n')}`;
}

const callOf = ({ step, span }: PackageSkill): PackageCall => ({
  ...{ kind: 'step', name: step, span },
  ...{ condition: undefined, keepWhen: undefined, inputs: undefined, retry: undefined },
});

interface Known extends Pick<PageContext, 'linkTo'> {
  readonly bySteps: ReadonlyMap<string, PackageSkill>;
}

/** Steps nest as deep as their YAML, which is bounded. */
function stepOf(step: PackageStep, indent: string, known: Known): string {
  const below = (steps: readonly PackageStep[]): string =>
    steps.map((one) => `\n${indent}- ${stepOf(one, `${indent}  `, known)}`).join('');
  switch (step.kind) {
    case 'step':
      return callInWords(step, known);
    case 'parallel':
      return `In any order, or side by side:${below(step.steps)}`;
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
      return `Begin these early, and drop what the last one makes needless:${below(step.steps)}\n${indent}- Last: ${until}`;
    }
  }
}

function callInWords({ name, condition, keepWhen, inputs, retry }: PackageCall, { bySteps, linkTo }: Known): string {
  const part = bySteps.get(name);
  const skill = part?.name ?? name;
  const link = linkTo(skill);
  const page = link === undefined ? `the skill ${codeSpan(skill)}` : `[${skill}](${link})`;
  const own = name === skill ? '' : `**${name}**: `;
  const given = [...mapped(part), ...(isObject(inputs) ? Object.entries(inputs) : [])].map(([key, value]) =>
    valueAs(key, valueInWords(value)),
  );
  const lead = condition === undefined ? '' : `If ${referenceInWords(condition)}: `;
  const sentence = `${own}${lead}follow ${page}${given.length > 0 ? ` with ${listed(given)}` : ''}`;
  const renamed = Object.entries(part?.outputMapping ?? {}).map(([from, to]) => `${codeSpan(from)} as ${codeSpan(to)}`);
  const more = [
    renamed.length > 0 ? ` Keep its ${renamed.join(', ')}.` : '',
    keepWhen === undefined ? '' : ` Drop it unless ${referenceInWords(keepWhen)}.`,
    retry === undefined ? '' : ` If it fails, try again, at most ${retry.maxAttempts} times in all.`,
  ];
  const text = `${sentence}.${more.join('')}`;
  return text.startsWith('*') ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where the inputs of a part come from, by its mapping: the flow's name to its own. */
function mapped(part: PackageSkill | undefined): readonly (readonly [string, Json])[] {
  const own: Record<string, Json> = {};
  for (const [from, to] of Object.entries(part?.inputMapping ?? {})) put(own, to, `$input.${from}`);
  return Object.entries(own);
}

/** A value by the name that the part has for it. */
const valueAs = (name: string, value: string): string =>
  value === codeSpan(name) ? value : `${value} as ${codeSpan(name)}`;

function valueInWords(value: Json): string {
  if (typeof value !== 'string' || !value.startsWith('$')) return codeSpan(JSON.stringify(value));
  return named(value);
}

/** A condition over what has run, with its references in words. */
const referenceInWords = ({ source }: PackageExpression): string =>
  source
    .replace(/\$[\w-]+(?:\.[\w-]+)*/g, named)
    .replace(/\s*==\s*true\b/g, ' is true')
    .replace(/\s*==\s*/g, ' is ')
    .replace(/\s*!=\s*/g, ' is not ')
    .replace(/"([^"]*)"|'([^']*)'/g, (text, one?: string, other?: string) => codeSpan(one || other || text));

/** `$input.x` and `$step.output.x`. */
function named(reference: string): string {
  const [first = '', ...rest] = reference.slice(1).split('.');
  if (first === 'input') return codeSpan(rest.join('.'));
  const field = rest.slice(rest[0] === 'output' ? 1 : 0).join('.');
  return field === '' ? `the result of ${first}` : `the ${codeSpan(field)} of ${first}`;
}
