// A client of `git ralph mcp --http` with the TypeScript SDK: node http-client.mjs MODULES URL TOKEN
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [modules, url, token] = process.argv.slice(2)
const require = createRequire(modules + '/')
const load = (name) => import(pathToFileURL(require.resolve('@modelcontextprotocol/sdk/client/' + name)))
const { Client } = await load('index.js')
const { StreamableHTTPClientTransport } = await load('streamableHttp.js')

async function connect(token) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: 'Bearer ' + token } } }))
  return client
}

const client = await connect(token)
const { tools } = await client.listTools()
const calls = await Promise.all(Array.from({ length: 20 }, () => client.callTool({ name: 'query', arguments: { what: 'next' } })))
const plan = await client.readResource({ uri: 'ralph://plan' })
await client.close()
const refused = await connect('wrong').then(() => 'connected', (error) => 'refused')
console.log(tools.length, calls.filter((call) => call.content[0].text.includes('First')).length, JSON.parse(plan.contents[0].text).stage, refused)
