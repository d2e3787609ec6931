/** The requests of the status bar and of issue reports, and no notifications for other clients. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { MessageConnection } from 'vscode-languageserver-protocol/node';
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
    const news = new Promise<Status>((resolve) => connection.onNotification(StatusNotification.method, resolve));
    await open(fileName, text);
    const lists = { skills: 0, notListed: 0, cut: 0, isMinimum: false, withoutTarget: 0, clients: [] };
    assert.deepEqual(await news, { ready: true, skills: 1, lists });
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
