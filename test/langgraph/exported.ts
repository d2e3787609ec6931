/** Exported skills on a thread of LangGraph, as a server runs them. */
import { strict as assert } from 'node:assert';
import { setMaxListeners } from 'node:events';
import { Command, type Interrupt, MemorySaver } from '@langchain/langgraph';
import { exportPackages, exportRequest, exportShape } from '../../server/src/exchange/langgraph-project.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import { skillGraph } from '../../server/src/services/run/langgraph-runtime.ts';
import { type Files, requestFor, shapeFor } from '../core/composer/shapes.ts';

// Every composed skill adds a listener to the abort signal of the run, so a run needs many listeners.
setMaxListeners(1000);

export type Functions = Parameters<typeof skillGraph>[1];
type Query = Parameters<Functions['askModel']>[0];

/** Returns a thread of the skill `a`, which is exported with the parameters, and the questions to its model. */
export function exported(files: Files, parameters: Readonly<Record<string, Json>>, functions: Partial<Functions> = {}) {
  const request = requestFor(files, 'a.skill.md', { parameters });
  const { shape, errors } = shapeFor(request);
  assert.deepEqual(errors, []);
  const same = (uri: string): string => uri;
  const project = {
    shape: exportShape(shape, same, () => ''),
    skill: { packages: exportPackages(request.skillPackage, same), request: exportRequest(request) },
    samples: [],
  };
  const queries: Query[] = [];
  const graph = skillGraph(JSON.parse(JSON.stringify(project)), {
    askModel(query) {
      queries.push(query);
      return functions.askModel?.(query) ?? { output: 'done' };
    },
    callTool: functions.callTool ?? (() => null),
  });
  const checkpointer = new MemorySaver();
  const served = () => Object.assign(graph(), { checkpointer });
  const config = (thread: string) => ({ configurable: { thread_id: thread } });
  const run = (input: object | null, thread = 'thread') => served().invoke(input as never, config(thread));
  /** Returns the questions that wait, as the README of the project reads them. */
  const questions = async (): Promise<readonly Question[]> => {
    const { tasks } = await served().getState(config('thread'));
    return tasks
      .filter(({ result }) => !result)
      .flatMap(({ interrupts }) => interrupts)
      .map(({ id = '', value }: Interrupt<Omit<Question, 'id'>>) => ({ id, ...value }) as Question);
  };
  const resume = (value: unknown) => run(new Command({ resume: value }));
  /** Answers all questions that wait, or only those of a path, by their IDs. */
  const answer = async (value: unknown, of = '') => {
    const asked = (await questions()).filter(({ path }) => path.startsWith(of));
    return resume(Object.fromEntries(asked.map(({ id }) => [id, value])));
  };
  return { served, run, queries, questions, resume, answer };
}

interface Question {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly problem?: string;
}
