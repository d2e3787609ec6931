/** The smallest test runner that serves: a table of named functions, run in order, inside VS Code or beside it. */

export interface Result {
  readonly name: string;
  /** Why it failed, as a stack; absent where it passed. */
  readonly error?: string;
  /** Why the first try failed, where there was a second one. */
  readonly before?: string;
  readonly ms: number;
}

type Body<Context> = (context: Context) => Promise<void>;

/** Above this a test counts as hung. Waits give up sooner, with a message that says what they waited for. */
const testLimit = 240_000;

export interface Table<Context> {
  /** Adds a test. */
  readonly test: (name: string, body: Body<Context>) => void;
  /**
   * Runs the tests whose name has `filter`; `onResult` sees each as it ends. A test that fails is tried once more where
   * `anew` gives a context that nothing was done in: a window that is late on a busy machine is no fault of the extension.
   */
  readonly run: (
    context: Context,
    filter: string | undefined,
    onResult: (result: Result) => Promise<void>,
    anew?: (name: string) => Promise<Context>,
  ) => Promise<readonly Result[]>;
}

export function table<Context>(): Table<Context> {
  const tests: { readonly name: string; readonly body: Body<Context> }[] = [];
  return {
    test: (name, body) => void tests.push({ name, body }),
    run: async (given, filter, onResult, anew) => {
      const results: Result[] = [];
      let context = given;
      for (const { name, body } of tests) {
        if (filter !== undefined && !name.includes(filter)) continue;
        const began = performance.now();
        const before = await failureOf(() => body(context));
        let error = before;
        if (before !== undefined && anew !== undefined) {
          context = await anew(name);
          error = await failureOf(() => body(context));
        }
        const result: Result = {
          name,
          ms: performance.now() - began,
          ...(error === undefined ? {} : { error }),
          ...(before === undefined || anew === undefined ? {} : { before }),
        };
        results.push(result);
        await onResult(result);
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
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}
