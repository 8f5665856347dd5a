#!/bin/sh
# Starts the cluster of compose.yaml with an account, and shows that changes reach both edges: before and after an API node is killed, and
# that the edges answer without the database. Needs curl and dig. `docker compose -f examples/cluster/compose.yaml down -v` removes everything.
set -eu
cd "$(dirname "$0")"

compose=${COMPOSE:-docker compose}
url=${CLUSTER_URL:-http://127.0.0.1:8080}
edges=${EDGE_PORTS:-53 54}
email=me@example.org
export POSTGRES_PASSWORD="${POSTGRES_PASSWORD:-$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')}"

# The first value of a member in JSON.
member() { grep -o "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

# Repeats a command until it succeeds, for a minute at most.
retry() {
  tries=120
  until "$@"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { echo "failed: $*" >&2; exit 1; }
    sleep 0.5
  done
}

api() {
  method=$1 path=$2
  shift 2
  curl -fsS --max-time 20 -X "$method" "$url$path" -H "Authorization: ApiKey $key" -H 'Content-Type: application/json' "$@" 2>/dev/null
}

block() {
  retry api PUT "/oapi/v1/dns_servers/$server/settings" -o /dev/null \
    -d "{\"user_rules_settings\": {\"enabled\": true, \"rules\": [\"||$1^\"]}}"
}

# The device is named in an option of the query; see docs/resolver.md.
is_blocked() {
  [ "$(dig +short +tries=1 +time=2 @127.0.0.1 -p "$1" "+ednsopt=65074:$device" "$2")" = 0.0.0.0 ]
}

reaches_edges() {
  for port in $edges; do retry is_blocked "$port" "$1"; done
  echo "$1 is blocked at both edges"
}

echo '- Starting the database, two API nodes and the load balancer'
$compose up -d postgresql valkey api1 api2 balancer
retry curl -fs -o /dev/null "$url/health/ready"

echo '- Creating an account and the keys of two edges'
od -An -N12 -tx1 /dev/urandom | tr -d ' \n' | $compose exec -T api1 weir account create --email "$email" --password-stdin
key=$($compose exec -T api1 weir account key --email "$email" --name show --json </dev/null | member key)
NODE_KEY1=$($compose exec -T api1 weir node create --name edge1 --json </dev/null | member key)
NODE_KEY2=$($compose exec -T api1 weir node create --name edge2 --json </dev/null | member key)
export NODE_KEY1 NODE_KEY2
$compose up -d edge1 edge2
server=$(api GET /oapi/v1/dns_servers | member id)
device=$(api POST /oapi/v1/devices -d "{\"name\": \"laptop\", \"device_type\": \"LINUX\", \"dns_server_id\": \"$server\"}" |
  member id | tr -d '\n' | od -An -tx1 | tr -d ' \n')

echo '- A change reaches both edges'
block one.example
reaches_edges one.example

echo '- The same after the first API node was killed'
$compose kill api1
block two.example
reaches_edges two.example

echo '- The edges answer while the database does not'
$compose pause postgresql
reaches_edges two.example

echo '- The database is back: a change reaches both edges'
$compose unpause postgresql
block three.example
reaches_edges three.example
