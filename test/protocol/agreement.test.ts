/**
 * The editor, the preview and the command line report the same findings for the samples: rule, message and location.
 */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import type { Range, WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import type { ComposeReply, SamplesReply } from '../../server/src/protocol.ts';
import { extended } from '../extended.ts';
import { folderWith, type Json, run } from './cli.ts';
import { type Server, withServer } from './server.ts';
import { until } from './until.ts';

const FOLDER = 'samples';

const files = Object.fromEntries(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [[relative(FOLDER, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]] : [];
  }),
);

const pulling = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } };

interface Told {
  readonly file: string;
  readonly rule: unknown;
  readonly message: string;
  readonly range: Range;
  readonly severity: unknown;
}

const inOrder = (all: readonly Told[]): readonly string[] => all.map((one) => JSON.stringify(one)).sort();

const SEVERITIES = ['error', 'warning', 'info', 'hint'];

/** Compares the findings of the editor and the command line for the files in `folder`. */
async function assertAgreement(folder: string, files: Readonly<Record<string, string>>): Promise<readonly Told[]> {
  const { findings } = JSON.parse((await run(folder, ['check', '--format', 'json'])).stdout) as Json;
  const checked = findings.map(
    ({ file, rule, message, range, severity }): Told => ({ file, rule, message, range: range as Range, severity }),
  );
  const expected = inOrder(checked);
  assert.ok(expected.length > 0);
  await withServer(
    files,
    async ({ connection, uri }) => {
      let told: readonly string[] = [];
      // Samples are composed after everything else.
      await until('what the samples say', async () => {
        const { items } = await connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', {
          previousResultIds: [],
        });
        told = inOrder(
          items.flatMap((report) =>
            ('items' in report ? report.items : []).map(({ code, message, range, severity }) => ({
              file: report.uri.slice(uri('').length + 1),
              rule: code,
              message: typeof message === 'string' ? message : message.value,
              range,
              severity: SEVERITIES[(severity ?? 1) - 1],
            })),
          ),
        );
        return told.length >= expected.length;
      });
      assert.deepEqual(told, expected);
    },
    { capabilities: pulling },
  );
  return checked;
}

test('the editor and `check` report the same findings', async () => {
  await assertAgreement(FOLDER, files);
});

test('the editor and `check` report the same calls to scripts', async () => {
  const skills = {
    'skills/send/SKILL.md':
      '---\nname: send\ndescription: Sends notes.\ncompatibility: No network access.\n---\n\nSend them.\n',
    'skills/send/scripts/send.sh': 'curl https://tidy.dev\n',
  };
  const told = await assertAgreement(folderWith(skills), skills);
  assert.ok(told.some(({ rule }) => rule === 'undeclared-network'));
});

interface Failure {
  readonly kind: string;
  readonly message: string;
  readonly suggestion: string;
  readonly range: Range;
}

const failuresOf = (errors: readonly Failure[]): readonly object[] =>
  errors.map(({ kind, message, suggestion, range }) => ({ kind, message, suggestion, range }));

/** The failures in the preview, by the command-line arguments for the same composition. */
async function failuresOfPreview({ connection, uri }: Server, path: string) {
  const { samples = [] } =
    (await connection.sendRequest<SamplesReply | null>('skill/samples', { uri: uri(path) })) ?? {};
  const names = samples.length > 0 ? samples.map(({ name }) => name) : [undefined];
  const found: {
    readonly words: readonly string[];
    readonly kinds: readonly unknown[];
    readonly failures: readonly object[];
  }[] = [];
  for (const sample of new Set(names)) {
    const reply = await connection.sendRequest<ComposeReply | null>('skill/compose', {
      uri: uri(path),
      ...(sample === undefined ? { invocation: {} } : { sample }),
    });
    // The preview generates missing values.
    const given = sample === undefined ? ['--made-up'] : ['--sample', sample];
    const words = ['compose', path, '--format', 'json', ...given];
    if (!reply || reply.result.ok) continue;
    const { errors } = reply.result;
    found.push({ words, kinds: errors.map(({ kind }) => kind), failures: failuresOf(errors) });
  }
  return found;
}

test('the preview and `compose` report the same failures', extended, async () => {
  const failing: Awaited<ReturnType<typeof failuresOfPreview>> = [];
  await withServer(
    files,
    async (server) => {
      // The server responds when it has read the workspace.
      await server.connection.sendRequest('workspace/diagnostic', { previousResultIds: [] });
      const paths = Object.keys(files).filter((path) => /^mistakes\/[^/]+\.skill\.md$/.test(path));
      for (const path of paths) failing.push(...(await failuresOfPreview(server, path)));
    },
    { capabilities: pulling },
  );
  // Each run of the command line starts a process, so this checks only one failure of each kind.
  const oneOfEach = new Map(failing.map((one) => [JSON.stringify(one.kinds), one]));
  assert.ok(oneOfEach.size > 2);
  for (const { words, failures } of oneOfEach.values()) {
    const { stdout, stderr } = await run(FOLDER, words);
    const reply = JSON.parse(stdout || 'null') as { readonly errors: readonly Failure[] } | null;
    assert.deepEqual(failuresOf(reply?.errors ?? []), failures, `${words.join(' ')}\n${stderr}`);
  }
});
