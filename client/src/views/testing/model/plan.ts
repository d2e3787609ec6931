/** What a run with a model would ask, before it asks anything. */
import type * as vscode from 'vscode';
import type { ModelRun, TestCase } from '../../../../../server/src/protocol.ts';
import type { SkillServer } from '../../../language-server/skill-server.ts';
import type { Selected, TestNode, TestTree } from '../tree.ts';

export interface Plan {
  readonly skills: readonly {
    readonly skill: vscode.TestItem;
    readonly tests: readonly TestNode[];
    /** By `runKey`. */
    readonly runs: ReadonlyMap<string, ModelRun>;
  }[];
  /** How many prompts are sent, and their tokens. */
  readonly requests: number;
  readonly tokens: number;
  /** How many assertions are put to the model as questions. */
  readonly questions: number;
}

export async function planOf(
  selected: readonly Selected[],
  tree: TestTree,
  server: Pick<SkillServer, 'modelRuns'>,
): Promise<Plan> {
  const skills: Plan['skills'][number][] = [];
  let [requests, tokens, questions] = [0, 0, 0];
  for (const { skill, tests } of selected) {
    const uri = skill.uri?.toString() ?? '';
    if (tests === 'all') await tree.resolve(uri);
    const known = tests === 'all' ? tree.testsOf(skill) : tests;
    const reply = await server.modelRuns({ uri, only: known.map(({ test }) => test.name) });
    const wanted = new Set(known.map(({ test }) => runKey(test)));
    const runs = (reply?.runs ?? []).filter((one) => wanted.has(keyOf(one)));
    requests += runs.length;
    tokens += runs.reduce((sum, one) => sum + one.tokens, 0);
    questions += reply?.questions ?? 0;
    skills.push({ skill, tests: known, runs: new Map(runs.map((one) => [keyOf(one), one])) });
  }
  return { skills, requests, tokens, questions };
}

/** What a test's run goes by: several kinds may have one name. */
export const runKey = ({ kind, name }: Pick<TestCase, 'kind' | 'name'>): string => `${kind}:${name}`;

const keyOf = ({ kind, sample }: ModelRun): string => runKey({ kind, name: sample });
