/** Skills that ask before they write, and threads on which they run. */
import { type Files, skill } from '../core/composer/shapes.ts';
import { exported, type Functions } from './exported.ts';

/** Returns a skill that writes once. */
export const writer = (name: string, interrupts = 'before_write', more = ''): string =>
  skill(name, `level: 1\ninput_schema: {}\ntools: [write_candidate]\ninterrupts: [${interrupts}]\n${more}`);

export const composite = (name: string, level: number, composes: readonly string[], execution: string): string =>
  skill(name, `level: ${level}\ninput_schema: {}\ncomposes: [${composes.join(', ')}]\nexecution: [${execution}]`);

export const filesOf = (skills: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(Object.entries(skills).map(([name, text]) => [`${name}.skill.md`, text]));

/** Returns a composite of two skills that write in parallel. */
export const parallel = (interrupts = 'before_write'): Files =>
  filesOf({
    a: composite('a', 2, ['b', 'c'], '{parallel: [{step: b}, {step: c}]}'),
    b: writer('b', interrupts),
    c: writer('c', interrupts),
  });

/** Returns a thread whose model calls the tool of each skill once, and the paths of the calls. */
export function writingThread(files: Files, functions: Partial<Functions> = {}) {
  const calls: string[] = [];
  const thread = exported(
    files,
    {},
    {
      askModel: ({ tools: [tool], results }) =>
        tool && results.length === 0 ? { call: tool.name, input: {} } : { output: {} },
      ...functions,
      callTool(call) {
        calls.push(call.path);
        return functions.callTool?.(call) ?? 'written';
      },
    },
  );
  const waiting = async () => (await thread.questions()).map(({ name, path }) => `${name} at ${path}`);
  return { ...thread, calls, waiting };
}

/** Returns a tool that fails with `BUSY` the first `times` times. */
export function failing(times: number): Functions['callTool'] {
  let count = 0;
  return () => {
    if (++count <= times) throw Object.assign(new Error('Busy.'), { code: 'BUSY' });
    return 'written';
  };
}
