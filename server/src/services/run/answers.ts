/**
 * Answers to interrupts on a server (docs/langgraph.md, "Interrupts"). LangGraph gives an answer that names no question
 * to all questions that wait, and gives an answer that is sent twice to the next question of the same node.
 */
import { Command, interrupt, isCommand } from '@langchain/langgraph/web';
import { isMap } from '../../composer/json.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { mainFailure, type ServedGraph } from './engine.ts';
import { Failure } from './world.ts';

/** An answer as LangGraph stores it. */
interface NamedAnswer {
  /** The ID of its question. */
  readonly to: string;
  /** The ID of the run that brought it. */
  readonly run: string;
  readonly answer: Json;
}

/** The IDs of the runs that brought the latest answers, by the ID of the question. */
export type AnsweringRuns = Map<string, string>;

/** Returns the answer to a question, or pauses the thread. Throws a `Failure` if the answer is not the latest one. */
export function ask(question: object, runs: AnsweringRuns): Json {
  const given = interrupt<object, Json>(question);
  if (!isNamed(given)) {
    throw wrong('The answer has no question. Run the graph of the skill itself, not as a node of another graph.');
  }
  const { to, run, answer } = given;
  // If the node has failed after an earlier answer, LangGraph returns that answer again.
  if ((runs.get(to) ?? run) === run) return answer ?? null;
  throw wrong(`The question \`${to}\` has an answer already. To continue a failed run, send the input \`null\`.`);
}

const isNamed = (value: Json): value is Json & NamedAnswer => isMap(value) && 'to' in value && 'run' in value;

/** Makes a graph refuse each answer that does not name a question that waits. After a refusal, the questions still wait. */
export function requireNames<Graph extends ServedGraph>(graph: Graph, runs: AnsweringRuns): Graph {
  // Every way to run a graph calls this method.
  const iterate = graph._streamIterator.bind(graph);
  graph._streamIterator = async function* (input, options) {
    try {
      if (!isCommand(input) || input.resume === undefined) return yield* iterate(input, options);
      const { tasks } = await graph.getState({ configurable: options?.configurable ?? {} });
      // A task that has ended still lists its questions.
      const waiting = tasks.flatMap(({ interrupts, result }) => (result === undefined ? interrupts : []));
      const resume = namedAnswers(input, new Set(waiting.map(({ id }) => id)), runs);
      yield* iterate(new Command({ resume }), options);
    } catch (error) {
      throw mainFailure(error);
    }
  };
  return graph;
}

/** Returns the answers of a command with their names. Throws a `Failure` if one of them answers no question that waits. */
function namedAnswers(
  { resume, update, goto }: Command,
  waiting: ReadonlySet<string | undefined>,
  runs: AnsweringRuns,
): Readonly<Record<string, NamedAnswer>> {
  const where = `The state of the thread lists ${waiting.size === 1 ? 'the question' : `the ${waiting.size} questions`}.`;
  if (waiting.size === 0) throw wrong('No question waits for an answer.');
  const answers = Object.entries(isMap(resume as Json) ? (resume as Record<string, Json>) : {});
  if (answers.length === 0 || answers.some(([id]) => !QUESTION_ID.test(id))) {
    throw wrong(`An answer must name its question: \`{"resume": {"ID": ANSWER}}\`. ${where}`);
  }
  const unknown = answers.find(([id]) => !waiting.has(id));
  if (unknown) throw wrong(`The question \`${unknown[0]}\` does not wait for an answer. ${where}`);
  // LangGraph would give the answer to the question as it is after the update.
  if ((update ?? undefined) !== undefined || !Array.isArray(goto) || goto.length > 0) {
    throw wrong('Send answers without `update` and `goto`.');
  }
  const run = crypto.randomUUID();
  for (const [id] of answers) runs.set(id, run);
  return Object.fromEntries(answers.map(([id, answer]) => [id, { to: id, run, answer }]));
}

const QUESTION_ID = /^[0-9a-f]{32}$/;

const wrong = (message: string): Failure => new Failure('WRONG_ANSWER', message, false);
