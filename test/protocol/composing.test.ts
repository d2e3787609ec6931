/** Composing in a worker: every template ends in time, and the next one composes. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import type { Composed } from '../../server/src/services/composing/composing.ts';
import type { Job, WorkerAnswer } from '../../server/src/services/composing/worker.ts';
import { folderWith } from './cli.ts';
import { requestFor, templated, toldBy, withComposing } from './composing.ts';
import { until } from './until.ts';

const plain = templated('Draft it.');

describe('composing in a worker', () => {
  const hazards: Readonly<Record<string, readonly [string, RegExp]>> = {
    'a string that doubles': [
      '{% set ns = namespace(t="ha") %}{% for i in range(90) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}{{ ns.t }}',
      /^MalformedTemplate at /,
    ],
    'a macro that calls itself': ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', /^MalformedTemplate at .*itself/s],
    'loops within loops': [
      '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}',
      /^MalformedTemplate at .*step limit/s,
    ],
    'a string of many lines': ['{{ "\\n" * 8000000 }}', /^MalformedTemplate at \{\{ .* prints 8,000,000 characters/s],
    'a list that is repeated': ['{{ [1] * 20000000 }}', /memory limit|the limit is/],
    'an indentation without end': ['{{ "a\\nb" | indent(1000000000) }}', /memory limit/],
    'a template that takes itself in': ['{% include "main" %}', /^MalformedTemplate at include "main".*itself/s],
    'macros that call one another': [
      '{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}',
      /itself/,
    ],
    'a value that holds itself': ['{% set ns = namespace() %}{% set ns.a = ns %}{{ ns }}', /nested too deep/],
    'what the engine panics at': ['{% import x as 1 %}', /^MalformedTemplate at /],
  };
  it('a template that the engine stops ends with an error, and the next template composes', async () => {
    await withComposing(async (composing) => {
      for (const [title, [template, message]] of Object.entries(hazards)) {
        const text = templated(template);
        const told = toldBy(await composing.compose('a', requestFor(text)), text);
        assert.match(told, message, title);
        assert.doesNotMatch(told, /ran longer than/, `the engine stops by itself: ${title}`);
        assert.match(toldBy(await composing.compose('a', requestFor(plain)), plain), /^Draft it\./, title);
      }
      // On a loaded machine, the limits of the engine are not reached within two seconds.
    }, 20_000);
  });

  it('a request that cannot be sent to the worker affects no other request', async () => {
    await withComposing(async (composing) => {
      const request = requestFor(plain);
      const unsendable = { ...request, parameters: { tone: Object as never } };
      const [first, second] = await Promise.all([
        composing.compose('a', unsendable, 'later'),
        composing.compose('b', request, 'later'),
      ]);
      assert.match(toldBy(first, plain), /: The template `main` could not be sent to the composing worker\.$/);
      assert.match(toldBy(second, plain), /^Draft it\./);
    });
  });

  it('a composition is stopped at the deadline, and a new worker runs the next composition', async () => {
    // The engine stops by itself after a number of steps, so the deadline of this test is shorter.
    const slow = templated(`${'{% for a in range(3000) %}{% for b in range(900) %}{% endfor %}{% endfor %}'}`);
    await withComposing(async (composing) => {
      const [first, second] = await Promise.all([
        composing.compose('a', requestFor(slow)),
        composing.compose('b', requestFor(plain)),
      ]);
      assert.match(
        toldBy(first, slow),
        /^MalformedTemplate at ## PromptTemplate: main: The template `main` ran longer than 0\.005 s and was stopped\./,
      );
      assert.ok(second !== 'superseded' && (second.result.ok || second.milliseconds === 5));
    }, 5);
  });

  it('the newest request with a key replaces older requests, and background requests run last', async () => {
    await withComposing(async (composing) => {
      const order: string[] = [];
      const compose = async (name: string, key: string, urgency?: 'later') => {
        const text = templated(`Draft ${name}.`);
        const told = toldBy(await composing.compose(key, requestFor(text), urgency), text);
        order.push(`${name} ${told === 'superseded' ? told : /^Draft (\w+)/.exec(told)?.[1]}`);
      };
      await Promise.all([
        compose('background', 'sample', 'later'),
        compose('one', 'panel'),
        compose('other', 'another panel'),
        compose('two', 'panel'),
        compose('three', 'panel'),
      ]);
      assert.deepEqual(order, [
        'one superseded',
        'two superseded',
        'other other',
        'three three',
        'background background',
      ]);
    });
  });

  const deaths: Readonly<Record<string, readonly [string, RegExp]>> = {
    'takes too much memory': ['const a = []; for (;;) a.push(new Array(100_000).fill({}));', /used too much memory/],
    'never ends': ['for (;;);', /ran longer than 0\.3 s/],
    throws: ['throw new Error("x");', /crashed the template engine/],
    'ends itself': ['process.exit(3);', /crashed the template engine/],
  };
  for (const [title, [work, message]] of Object.entries(deaths)) {
    it(`a worker that ${title} is replaced for the next request`, async () => {
      // On a loaded machine, filling the memory takes long.
      const deadline = title === 'never ends' ? 300 : 120_000;
      const script = `const { parentPort: p, threadId } = require('node:worker_threads');
        p.on('message', ({ id, request }) => {
          if (request.userRequest === 'die') { ${work} }
          p.postMessage({ kind: 'composed', id, result: threadId, milliseconds: 1 });
        });
        p.postMessage({ kind: 'ready' });`;
      await withComposing(
        async (composing) => {
          const request = requestFor(plain);
          const first = await composing.compose('a', request);
          const dead = await composing.compose('a', { ...request, userRequest: 'die' });
          assert.match(toldBy(dead, plain), message);
          assert.match(toldBy(dead, plain), /^MalformedTemplate at ## PromptTemplate: main: The template `main`/);
          const next = await composing.compose('a', request);
          assert.ok(first !== 'superseded' && next !== 'superseded');
          assert.notEqual(next.result, first.result, 'another thread');
        },
        deadline,
        folderWith({ 'compose-worker.js': script }),
      );
    });
  }

  it('the deadline includes neither the start of a worker nor the waiting time', async () => {
    const script = `const { parentPort: p } = require('node:worker_threads');
      const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      wait(900);
      p.on('message', ({ id }) => { wait(300); p.postMessage({ kind: 'composed', id, result: { ok: true }, milliseconds: 300 }); });
      p.postMessage({ kind: 'ready' });`;
    await withComposing(
      async (composing) => {
        const all = ['a', 'b', 'c', 'd'].map((key) => composing.compose(key, requestFor(plain)));
        for (const one of await Promise.all(all)) assert.ok(one !== 'superseded' && one.result.ok);
      },
      800,
      folderWith({ 'compose-worker.js': script }),
    );
  });

  it('a waiting request interrupts a long background request, and the background request restarts later', async () => {
    // Only the first run is slow.
    const script = `const { parentPort: p } = require('node:worker_threads');
      const { existsSync, writeFileSync } = require('node:fs');
      const mark = require('node:path').join(__dirname, 'begun');
      p.on('message', ({ id, request }) => {
        if (request.userRequest === 'long' && !existsSync(mark)) {
          writeFileSync(mark, '');
          for (;;);
        }
        p.postMessage({ kind: 'composed', id, result: { ok: true }, milliseconds: 1 });
      });
      p.postMessage({ kind: 'ready' });`;
    const bundle = folderWith({ 'compose-worker.js': script });
    await withComposing(
      async (composing) => {
        const order: string[] = [];
        const request = requestFor(plain);
        const long = composing.compose('sample', { ...request, userRequest: 'long' }, 'later');
        await until('the long one to begin', () => existsSync(join(bundle, 'begun')));
        const note = (name: string) => (composed: Composed | 'superseded') =>
          order.push(`${name} ${composed === 'superseded' ? composed : composed.result.ok}`);
        await Promise.all([long.then(note('sample')), composing.compose('panel', request).then(note('panel'))]);
        // A request that waited for the deadline would not have ended.
        assert.deepEqual(order, ['panel true', 'sample true']);
      },
      40_000,
      bundle,
    );
  });

  it('a run has its own worker, and stopping an endless run ends at once', async () => {
    await withComposing(async (composing) => {
      const endless = plain.replace(
        'input_schema: {}',
        'input_schema: {}\ntools: [t]\nexit: {on: tool_budget, max_tool_calls: 99999999}',
      );
      const parts = { expected: [], stubs: [], answers: [], answered: [], patches: [], detailed: false };
      const run = (text: string, maxSteps: number, signal?: AbortSignal) =>
        composing.run('r', { compose: requestFor(text), ...parts, maxSteps }, signal);
      const stop = new AbortController();
      const stopped = run(endless, 99_999_999, stop.signal);
      // The other worker composes meanwhile.
      assert.match(toldBy(await composing.compose('a', requestFor(plain)), plain), /^Draft it\./);
      stop.abort();
      assert.equal(await stopped, 'superseded');
      const limited = await run(endless, 20);
      assert.ok(limited !== 'superseded' && limited.ok && limited.end.kind === 'failed');
      assert.equal(limited.end.code, 'STEP_LIMIT');
      const short = await run(plain, 20);
      assert.ok(short !== 'superseded' && short.ok);
      assert.equal(short.end.kind, 'met');
    });
  });

  it('a run sends nothing to the tracing service that the environment of LangGraph names', async () => {
    const requests: (string | undefined)[] = [];
    const service = createServer(({ url }, response) => {
      requests.push(url);
      response.end('{}');
    });
    await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
    const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const tracing = { TRACING: 'true', TRACING_V2: 'true', API_KEY: 'k', ENDPOINT: address };
    const names = Object.entries({ ...tracing, CALLBACKS_BACKGROUND: 'false' }).flatMap(([name, value]) =>
      ['LANGSMITH', 'LANGCHAIN'].map((prefix) => [`${prefix}_${name}`, value] as const),
    );
    for (const [name, value] of names) process.env[name] = value;
    try {
      await withComposing(async (composing) => {
        const parts = {
          expected: [],
          stubs: [],
          answers: [],
          answered: [],
          patches: [],
          maxSteps: 20,
          detailed: false,
        };
        const ran = await composing.run('r', { compose: requestFor(plain), ...parts });
        assert.ok(ran !== 'superseded' && ran.ok && ran.end.kind === 'met');
      });
    } finally {
      for (const [name] of names) delete process.env[name];
      service.closeAllConnections();
      service.close();
    }
    assert.deepEqual(requests, []);
  });

  it('a worker that was started early composes, and an unused worker does not keep the process alive', async () => {
    await withComposing(async (composing) => {
      composing.warm();
      composing.warm();
      assert.match(toldBy(await composing.compose('a', requestFor(plain)), plain), /^Draft it\./);
    });
    await withComposing(async (composing) => composing.warm());
  });

  it('reports a worker that cannot be started, and composes nothing', async () => {
    await withComposing(
      async (composing) => {
        await assert.rejects(composing.compose('a', requestFor(plain)), /composing worker could not be started/);
      },
      undefined,
      'nowhere',
    );
  });

  it('sends no responses after disposal, and does not keep the process alive', async () => {
    await withComposing(async (composing) => {
      const composed = composing.compose('a', requestFor(plain));
      composing.dispose();
      assert.equal(await composed, 'superseded');
    });
  });
});

it('only the composing worker loads the engine', () => {
  // The glue code of the engine has this text, which is not minified.
  const holds = (file: string): boolean => readFileSync(`dist/${file}`, 'utf8').includes('__wbindgen_');
  assert.deepEqual(['compose-worker.js', 'core.js', 'server.js', 'cli.cjs'].filter(holds), ['compose-worker.js']);
});

it('the worker for browsers composes and runs without Node.js and without a DOM', async () => {
  // The location of a worker from a blob, with which no address can be made.
  const location = { origin: 'http://localhost:1', pathname: 'http://localhost:1/0', search: '' };
  const told = await new Promise<readonly string[]>((resolve) => {
    const prompts: string[] = [];
    const api = { performance, console, TextDecoder, TextEncoder, WebAssembly, URL, AbortController, AbortSignal };
    const worker: Record<string, unknown> = {
      ...api,
      atob,
      crypto,
      setTimeout,
      clearTimeout,
      ReadableStream,
      location,
    };
    worker.self = worker;
    worker.runScript = 'run.js';
    worker.importScripts = (script: string) => runInContext(readFileSync(`dist/${script}`, 'utf8'), context);
    worker.postMessage = (answer: WorkerAnswer) => {
      if (answer.kind === 'composed') prompts.push(answer.result.ok ? answer.result.composition.prompt : '');
      else if (answer.kind === 'ran') resolve([...prompts, answer.result.ok ? answer.result.end.kind : '']);
      else if (answer.kind === 'crashed') resolve([answer.message]);
    };
    const context = createContext(worker);
    runInContext(readFileSync('dist/compose-worker.js', 'utf8'), context);
    const receive = worker.onmessage as (event: { readonly data: Job }) => void;
    const compose = requestFor(templated('Draft {{ 1 + 1 }}.'));
    const parts = { expected: [], stubs: [], answers: [], answered: [], patches: [], maxSteps: 20, detailed: false };
    receive({ data: { kind: 'compose', request: compose } });
    receive({ data: { kind: 'run', request: { compose, ...parts }, asks: false } });
  });
  assert.match(told[0] ?? '', /^Draft 2\./);
  assert.deepEqual(told.slice(1), ['met']);
});
