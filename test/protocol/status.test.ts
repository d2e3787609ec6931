/** The requests of the status bar and of issue reports, and no notifications for other clients. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { DidCloseTextDocumentNotification, type MessageConnection } from 'vscode-languageserver-protocol/node';
import {
  type AboutReply,
  AboutRequest,
  type NewCatalogReply,
  NewCatalogRequest,
  type ReportReply,
  ReportRequest,
  type Status,
  StatusNotification,
} from '../../server/src/protocol.ts';
import { withServer } from './server.ts';
import { until } from './until.ts';

const skill = `---\nname: greet\ndescription: Greets. Use it for that.\nversion: 1.0.0\ninput_schema: {}\ntools: [wave]\n---\n\nGreet.\n`;
const files = { 'greet.skill.md': skill, 'notes.md': '# Notes\n' };

test('returns the dialect and the catalog of a file', async () => {
  await withServer(files, async ({ connection, open, uri, published }) => {
    await open('greet.skill.md');
    await published('greet.skill.md');
    const about = (path: string) => connection.sendRequest<AboutReply>(AboutRequest.method, { uri: uri(path) });
    assert.equal((await about('greet.skill.md')).dialect, 'composer');
    assert.equal((await about('greet.skill.md')).catalog, null);
    assert.equal((await about('notes.md')).dialect, null);
    const { fileName, text, tools } = await connection.sendRequest<NewCatalogReply>(NewCatalogRequest.method, {
      folder: uri(''),
    });
    assert.deepEqual([fileName, tools], ['skills.config.yaml', 1]);
    let news: Status | undefined;
    connection.onNotification(StatusNotification.method, (status: Status) => {
      news = status;
    });
    await open(fileName, text);
    const lists = { skills: 0, notListed: 0, cut: 0, isMinimum: false, withoutTarget: 0, clients: [], onlyFor: [] };
    const findings = { errors: 0, warnings: 0, infos: 0, hints: 0 };
    const wanted: Status = { ready: true, skills: 1, inWorkspace: 1, findings, lists };
    await until(`${JSON.stringify(wanted)} instead of ${JSON.stringify(news)}`, () => isDeepStrictEqual(news, wanted));
    const { catalog, ready, skills } = await about('greet.skill.md');
    assert.deepEqual(
      { catalog, ready, skills },
      {
        catalog: { uri: uri(fileName), tools: 1, toolsKnown: true },
        ready: true,
        skills: 1,
      },
    );
    assert.equal((await about(fileName)).dialect, 'catalog');
    const report = await connection.sendRequest<ReportReply>(ReportRequest.method, {});
    assert.deepEqual(report.files, { composer: 1, catalog: 1 });
    assert.match(`${report.server} ${report.engine}`, /^\d+\.\d+\.\d+ MiniJinja \d+\.\d+\.\d+$/);
    assert.doesNotMatch(JSON.stringify(report), /greet|wave/i);
  });
});

test('counts the errors and warnings of all files when they have been checked, and again after an edit', async () => {
  const broken = skill.replace('greet', 'wave').replace('[wave]', '[wave, wave]');
  await withServer({ ...files, 'wave.skill.md': broken, 'empty.skill.md': '' }, async ({ connection, open, uri }) => {
    let counts: Status['findings'] = null;
    const ask = async (): Promise<void> => {
      counts = (await connection.sendRequest<AboutReply>(AboutRequest.method, {})).findings;
    };
    connection.onNotification(StatusNotification.method, ({ findings }: Status) => {
      counts = findings;
    });
    await ask();
    await until(`findings instead of ${JSON.stringify(counts)}`, () => (counts?.errors ?? 0) > 0);
    const before = counts as Status['findings'];
    await open('empty.skill.md', skill.replace('greet', 'empty').replace('[wave]', '[]'));
    await until(`fewer errors than ${JSON.stringify(before)}`, () => (counts?.errors ?? 9) < (before?.errors ?? 0));
    const textDocument = { uri: uri('empty.skill.md') };
    await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument });
    await until(`${JSON.stringify(before)} again`, () => isDeepStrictEqual(counts, before));
  });
});

test('sends no custom notifications to a client that has not requested them', async () => {
  await withServer(files, async ({ connection, open, uri, published, stderr }) => {
    const strange: string[] = [];
    let hear = (): void => {};
    const any: MessageConnection = connection as never;
    any.onNotification((method) => {
      strange.push(method);
      hear();
    });
    any.onRequest((method) => {
      strange.push(method);
      return null;
    });
    await open('greet.skill.md');
    await published('greet.skill.md');
    await open('skills.config.yaml', 'tools: []\n');
    await published('greet.skill.md', (all) => all.length > 0);
    // The notifications for a burst of edits are sent after its diagnostics. When the notifications for two more bursts
    // have arrived, all earlier notifications have arrived, too.
    await connection.sendRequest(AboutRequest.method, { uri: uri('greet.skill.md') });
    for (const name of ['one', 'two']) {
      const heard = new Promise<void>((resolve) => {
        hear = resolve;
      });
      await open(`${name}.skill.md`, skill.replace('greet', name));
      await heard;
    }
    assert.deepEqual(strange, [StatusNotification.method, StatusNotification.method]);
    assert.equal(stderr(), '');
  });
});
