/** The script that the composing worker loads for the first run: runs a skill (docs/run.md). */
import type { Composer } from '../../composer/compose.ts';
import type { Subgraph } from '../../composer/composition.ts';
import type { AskMore, RunEnd, RunEvent, RunQuery, RunRequest, RunResult, Trace } from '../../protocol.ts';
import type { SkillPackage } from '../../skill/package.ts';
import { graphOf } from './engine.ts';
import { Pause, worldOf } from './run-world.ts';
import { ownValue } from './state.ts';
import { Failure, type World } from './world.ts';

/**
 * Composes a skill and runs its subgraph. The same request gives the same result. `askMore` answers the queries after the
 * replies of the request; the result is that of a request with all replies. Never rejects for a fault of the skill or of
 * the request.
 */
export async function run(request: RunRequest, composer: Composer, askMore?: AskMore): Promise<RunResult> {
  const composed = composer.compose(request.compose);
  if (!composed.ok) return { ok: false, errors: composed.errors };
  const events: RunEvent[] = [];
  let sent = 0;
  const ask = (query: RunQuery) => {
    const fresh = events.slice(sent);
    sent = events.length;
    return askMore?.(query, fresh) ?? Promise.resolve(undefined);
  };
  const world = worldOf(request, composer, (event) => events.push(event), ask);
  const end = await endOf(composed.composition.subgraph, world, request);
  return { ok: true, ...traceOf(events, end), assertions: world.assertions };
}

async function endOf(shape: Subgraph, world: World, { compose }: RunRequest): Promise<RunEnd> {
  try {
    const { output, calls, ended, fallen } = await graphOf(shape, world).invoke({ input: compose.parameters }, {});
    const { exitCondition } = shape;
    const { on } = exitCondition;
    const isReplaced = ownValue(fallen, '') !== undefined;
    const message = isReplaced
      ? undefined
      : on === 'interrupt' && ended !== exitCondition.name
        ? `The interrupt \`${exitCondition.name}\`, which is the exit condition, did not fire.`
        : on === 'tool_budget' && calls < exitCondition.maxToolCalls
          ? `The run called tools ${calls} times, but ends only after ${exitCondition.maxToolCalls} calls.`
          : undefined;
    const value = output?.value ?? null;
    return message === undefined ? { kind: 'met', on, output: value } : { kind: 'unmet', on, message, output: value };
  } catch (error) {
    if (error instanceof Pause) return error.end;
    if (!(error instanceof Failure)) throw error;
    return { kind: 'failed', code: error.code, message: error.message, ...placeOf(error, compose.skillPackage) };
  }
}

function placeOf({ spot, place }: Failure, { uri, headSpan }: SkillPackage) {
  const own = spot ? { path: spot.path, uri: spot.node.uri, span: spot.node.span } : { path: '', uri, span: headSpan };
  return place ? { ...own, uri: place.uri, span: place.span } : own;
}

function traceOf(events: readonly RunEvent[], end: RunEnd): Omit<Trace, 'assertions'> {
  const top = events.filter(({ path }) => !path.includes('/'));
  const cancelled = new Set(top.flatMap((event) => (event.kind === 'cancel' ? [event.step] : [])));
  // The loop of a stage enters its `plan` several times.
  const steps = new Map<string, string>();
  for (const event of top) {
    if (event.kind !== 'enter' || event.step === undefined || steps.has(event.path)) continue;
    if (event.node !== 'skill' || !cancelled.has(event.step)) steps.set(event.path, event.step);
  }
  const fired = events.flatMap((event) => (event.kind === 'interrupt' ? [event.name] : []));
  const waiting = end.kind === 'waiting' ? [end.question.name] : [];
  return { events, end, path: [...steps.values()], interrupts: [...new Set([...fired, ...waiting])] };
}

(globalThis as { skillComposerRun?: typeof run }).skillComposerRun = run;
