/** The engine that the analysis is compared with, which loads any template but renders only templates from tests. */
import { createRequire } from 'node:module';
import type { Environment } from 'minijinja-js';

const require = createRequire(import.meta.url);

/** Returns a new engine that shares nothing with earlier engines, since an engine stays corrupt after a panic. */
function freshEngine(): Environment {
  const path = require.resolve('minijinja-js');
  delete require.cache[path];
  const engine = new (require(path) as typeof import('minijinja-js')).Environment();
  engine.debug = true;
  return engine;
}

let engine = freshEngine();

/**
 * The engine's message for a template that it refuses, or undefined if it accepts the template. A panic counts as a
 * refusal.
 */
export function engineError(
  source: string,
  check = (env: Environment) => env.addTemplate('t', source),
): string | undefined {
  const log = console.error;
  console.error = () => {};
  try {
    check(engine);
    return undefined;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) engine = freshEngine();
    return error instanceof Error ? error.message : String(error);
  } finally {
    console.error = log;
  }
}

/** The output of a small template from a test, or `! ` and the first line of the engine's error. */
export function render(
  source: string,
  context: Record<string, unknown> = {},
  undefinedBehavior: 'strict' | 'semi_strct' | 'lenient' = 'lenient',
): string {
  engine.undefinedBehavior = undefinedBehavior;
  try {
    return engine.renderStr(source, context);
  } catch (error) {
    return `! ${(error as Error).message.split('\n')[0]}`;
  } finally {
    engine.undefinedBehavior = 'lenient';
  }
}
