/**
 * Exports samples and routing cases as a suite of waza, a program that tests `SKILL.md` files with a model
 * (docs/testing.md, "Other tools").
 */
import { isObject } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import { formatBlock } from '../languages/yaml/quote.ts';
import type { Assertion } from './assertion.ts';
import { type ExportedCase, labelOf, lengthChecks, patternCheck, rubricOf } from './export.ts';
import { slugOf } from './saved-files.ts';

export interface WazaSkill {
  readonly skill: string;
  readonly cases: readonly ExportedCase[];
  /** The requests that should, or should not, select the skill; empty if waza cannot read the skill. */
  readonly routing: readonly { readonly request: string; readonly should: boolean }[];
  /** The paths of the folders with the skills that the model can choose, relative to the suite. */
  readonly folders: readonly string[];
}

export interface WazaSuite {
  /** The files of the suite, with paths relative to its folder; none if there is nothing to test. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The parts that waza cannot express, each as a phrase. */
  readonly lost: readonly string[];
}

type Fields = { readonly [key: string]: Json };

/** Returns the suite of a skill: `eval.yaml` with a task for each sample, and `trigger_tests.yaml`. Never throws. */
export function toWaza({ skill, cases, routing: all, folders }: WazaSkill): WazaSuite {
  const routing = all.filter(({ request }) => request.trim() !== '');
  const lost: string[] = [];
  const tasks = cases.flatMap((one): readonly Fields[] => {
    const label = labelOf(one);
    if (one.prompt.includes('{{')) {
      lost.push(`${label}: a prompt with \`{{\`, which waza may read as a template.`);
      return [];
    }
    const schemas = one.schema ? schemaGraders(one.schema.json as Json) : [];
    if (one.schema && schemas.length === 0) lost.push(`${label}: an output schema that is not an object.`);
    const graders = one.assertions.flatMap((assertion) => {
      const found = gradersOf(assertion);
      if (found.length === 0) lost.push(`${label}: ${whyLost(assertion)}`);
      if (found.length > 0 && assertion.severity === 'soft')
        lost.push(`${label}: the severity \`soft\` of an assertion.`);
      return found;
    });
    return [taskOf(slugOf(one.sample) || 'sample', one.sample || 'sample', one.prompt, [...schemas, ...graders])];
  });
  // waza requires a task, also in a suite with nothing but trigger tests.
  const [first] = tasks.length > 0 ? [] : routing.filter(({ request }) => !request.includes('{{'));
  if (first) tasks.push(taskOf('trigger', first.request, first.request, [invocationGrader(skill, first.should)]));
  if (tasks.length === 0) return { files: [], lost };
  const placed = tasks.map((task) => ({ path: `tasks/${String(task.id)}.yaml`, text: asYaml(task) }));
  const spec = specOf(
    skill,
    placed.map(({ path }) => path),
    routing.length > 0,
    folders,
  );
  return {
    files: [
      { path: 'eval.yaml', text: `${ABOUT}${asYaml(spec)}` },
      ...placed,
      ...(routing.length > 0 ? [{ path: 'trigger_tests.yaml', text: asYaml(triggersOf(skill, routing)) }] : []),
    ],
    lost,
  };
}

const ABOUT = '# Written by Skill Composer. Set the model to test under `config`.\n';

/**
 * Returns the content of `eval.yaml`. With `inject_skill_body: true`, waza would put the whole skill before each prompt:
 * a sample already contains it, and a trigger test would not show whether the model chooses the skill.
 */
function specOf(skill: string, tasks: readonly string[], hasTriggers: boolean, folders: readonly string[]): Fields {
  return {
    name: `${skill}-eval`,
    description: `Samples and routing cases of ${skill}`,
    skill,
    version: '1.0',
    config: {
      trials_per_task: 1,
      timeout_seconds: 300,
      parallel: false,
      executor: 'copilot-sdk',
      model: 'claude-sonnet-4.6',
      inject_skill_body: false,
      ...(folders.length > 0 ? { skill_directories: folders } : {}),
    },
    metrics: [
      { name: 'task_completion', weight: 1, threshold: 1 },
      ...(hasTriggers ? [{ name: 'trigger_accuracy', weight: 1, threshold: 1 }] : []),
    ],
    tasks,
  };
}

function triggersOf(skill: string, routing: WazaSkill['routing']): Fields {
  const prompts = (wanted: boolean): readonly Json[] =>
    routing.flatMap(({ request, should }) => (should === wanted ? [{ prompt: request }] : []));
  const [should, shouldNot] = [prompts(true), prompts(false)];
  return {
    skill,
    ...(should.length > 0 ? { should_trigger_prompts: should } : {}),
    ...(shouldNot.length > 0 ? { should_not_trigger_prompts: shouldNot } : {}),
  };
}

const taskOf = (id: string, name: string, prompt: string, graders: readonly Fields[]): Fields => ({
  id,
  name,
  inputs: { prompt },
  ...(graders.length > 0 ? { graders: graders.map((one, at) => ({ name: `check_${at + 1}`, ...one })) } : {}),
});

const invocationGrader = (skill: string, should: boolean): Fields => ({
  type: 'skill_invocation',
  config: should ? { mode: 'any_order', required_skills: [skill] } : { forbidden_skills: [skill] },
});

function gradersOf(assertion: Assertion): readonly Fields[] {
  switch (assertion.type) {
    case 'structural':
      return schemaGraders(assertion.schema.json as Json);
    case 'length':
      return codeGraders(lengthChecks(assertion));
    case 'pattern': {
      const { match, notMatch } = assertion;
      const checks = [
        ...(match === undefined ? [] : [patternCheck(match)]),
        ...(notMatch === undefined ? [] : [`!${patternCheck(notMatch)}`]),
      ];
      return codeGraders(checks);
    }
    case 'contains': {
      const { value } = assertion;
      return [{ type: 'text', config: { contains_cs: [typeof value === 'string' ? value : JSON.stringify(value)] } }];
    }
    case 'equals': {
      const { value } = assertion;
      if (typeof value !== 'string') return schemaGraders({ const: value });
      return codeGraders([`output.trim() === ${JSON.stringify(value.trim())}`]);
    }
    case 'semantic':
      return [{ type: 'prompt', config: { prompt: judgePrompt(rubricOf(assertion)), continue_session: true } }];
  }
}

const codeGraders = (assertions: readonly string[]): readonly Fields[] =>
  assertions.length === 0 ? [] : [{ type: 'code', config: { language: 'javascript', assertions } }];

const schemaGraders = (schema: Json): readonly Fields[] =>
  isObject(schema) ? [{ type: 'json_schema', config: { schema: schema as Fields } }] : [];

const judgePrompt = (question: string): string =>
  [
    'Judge the last answer of this session with this question:',
    '',
    question,
    '',
    'If the answer is right, call set_waza_grade_pass. Otherwise, call set_waza_grade_fail with the reason.',
  ].join('\n');

const whyLost = ({ type }: Assertion): string =>
  type === 'length' ? 'a length in tokens, which each model counts differently.' : 'a schema that is not an object.';

/** Returns a map as YAML with a line for each key. */
const asYaml = (value: Fields): string =>
  Object.entries(value)
    .map(([key, item]) => {
      const block = formatBlock(item);
      return `${key}:${block.startsWith('\n') ? block : ` ${block}`}\n`;
    })
    .join('');
