// One request with LangChain deepagents: WORKSPACE MODEL_URL PROMPT
import { ChatOpenAI } from '@langchain/openai';
import { createDeepAgent, FilesystemBackend } from 'deepagents';

const [rootDir, url, content] = process.argv.slice(2);
const model = new ChatOpenAI({
  model: 'lab',
  apiKey: 'none',
  streaming: false,
  maxRetries: 0,
  configuration: { baseURL: `${url}/v1` },
});
const backend = new FilesystemBackend({ rootDir, virtualMode: true });
const agent = createDeepAgent({ model, backend, skills: ['/.agents/skills/'] });
await agent.invoke({ messages: [{ role: 'user', content }] }, { recursionLimit: 200 });
