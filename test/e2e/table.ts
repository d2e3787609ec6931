/** A minimal test runner: a table of named functions that run in order, inside VS Code or beside it. */
import { explainFailure } from '../host/failure.mjs';

export interface Result {
  readonly name: string;
  /** The explained failure; absent if the test passed. */
  readonly error?: string;
  readonly ms: number;
}

/** The selection of tests in a table. */
export interface Choice {
  /** Selects only tests whose names contain this text, including extended tests. */
  readonly filter?: string | undefined;
  /** True if tests added by `extended` also run without a filter, as in `npm run test:all`. */
  readonly extended: boolean;
}

type Body<Context> = (context: Context) => Promise<void>;
type Add<Context> = (name: string, body: Body<Context>) => void;

/** The time limit of a test. Waits have shorter limits, and their messages name the missing element. */
const testLimit = 240_000;

export interface Table<Context> {
  /** Adds a test. `test.extended` adds a test that only `npm run test:all` runs. */
  readonly test: Add<Context> & { readonly extended: Add<Context> };
  /** Returns whether the selection contains any test. */
  readonly has: (choice: Choice) => boolean;
  /**
   * Runs the selected tests. `onResult` receives each result. If it returns a context, the next tests use it, since a
   * failed test leaves its window in an unknown state.
   */
  readonly run: (
    context: Context,
    choice: Choice,
    onResult: (result: Result) => Promise<Context | undefined>,
  ) => Promise<readonly Result[]>;
}

export function table<Context>(): Table<Context> {
  const tests: { readonly name: string; readonly body: Body<Context>; readonly isExtended: boolean }[] = [];
  const adding =
    (isExtended: boolean): Add<Context> =>
    (name, body) =>
      void tests.push({ name, body, isExtended });
  const chosen = ({ filter, extended }: Choice) =>
    tests.filter(({ name, isExtended }) => (filter === undefined ? extended || !isExtended : name.includes(filter)));
  return {
    test: Object.assign(adding(false), { extended: adding(true) }),
    has: (choice) => chosen(choice).length > 0,
    run: async (given, choice, onResult) => {
      const results: Result[] = [];
      let context = given;
      for (const { name, body } of chosen(choice)) {
        const began = performance.now();
        const error = await failureOf(() => body(context));
        const result: Result = { name, ms: performance.now() - began, ...(error === undefined ? {} : { error }) };
        results.push(result);
        context = (await onResult(result)) ?? context;
      }
      return results;
    },
  };
}

async function failureOf(body: () => Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${testLimit / 1000} s.`)), testLimit);
  });
  try {
    await Promise.race([body(), hung]);
    return undefined;
  } catch (error) {
    return explainFailure(error);
  } finally {
    clearTimeout(timer);
  }
}
