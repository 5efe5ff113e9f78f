"""Words by which facts of software teams are compared: concepts with their variants in English and Vietnamese.

A `!` behind a concept's name says that its words deny it, as "optional" denies "required".
"""

from __future__ import annotations

NEGATORS = (
    "not, no, never, none, nobody, without, neither, nor, no longer, not any more, rather than, instead of, "
    "không, chưa, chẳng, không còn, thay vì, thay cho, không bao giờ, đừng, thôi"
)

# Without accents a word of one syllable is many words at once; of these no text makes another one
_SAFE = ("không", "chưa", "chẳng", "đừng", "được", "phải")

FUNCTION_WORDS = """
a an the this that these those is are was were be been being am it its it's they them their we our us you your i my he
she his her of in on at to for from with by as into onto under and or so than then there here
do does did has have had having will would shall should might could ought let just still yet even already currently
today any some each both such own same other another more most very too when where while if during which who
whom whose what how why both once going out
là được bị do của cho và hoặc hay thì mà nên để đến từ trong trên dưới ra lên xuống ở tại với bằng theo như
đã đang sẽ vẫn còn rồi nữa lại đều các những mỗi một cái con chiếc việc sự khi lúc nếu nào gì đây đó kia này ấy
có thể về cách rằng luôn hãy chị anh em ông bà mình họ chúng ta cũng người vào hết hẳn cả đi
duoc bi cua cho va hoac thi ma nen den tu trong tren duoi ra len xuong voi bang theo nhu
da dang se roi lai deu cac nhung moi mot cai chiec viec khi luc neu nao day do kia nay
co the cach rang luon hay chi anh minh ho chung cung nguoi vao
"""

CONCEPTS = """
allowed: allowed, allow, permitted, permit, may, can, able, được phép, có quyền, cho phép
allowed!: forbidden, forbid, prohibited, prohibit, disallow, disallowed, banned, ban, nghiêm cấm, cấm
required: required, require, requires, mandatory, must, needs, need, needed, bắt buộc, has to, have to, phải, cần
required!: optional, tùy chọn, voluntary
on: enabled, enable, on by default, active, bật, kích hoạt, turned on, switched on, available, works, work, hoạt động
on!: disabled, disable, off, inactive, tắt, turned off, switched off, unavailable, ngừng hoạt động
supported: supported, support, supports, hỗ trợ
supported!: unsupported, deprecated, shut down, shut it down, sunset, discontinued, tắt hẳn, 410, 410 gone
supported!: end of life
used: use, used, uses, using, utilise, dùng, sử dụng, xài, runs on, in use
used!: retired, retire, drop, dropped, abandoned, gone, stopped, stop, stopped using, ngừng, bỏ, ngưng, phased out
used!: decommissioned, got rid of
open: open, opens, mở
open!: closed, close, closes, đóng, khóa, khoá
deleted: deleted, delete, remove, removed, removes, xóa, xoá, purged, drops, get rid of
deploy!: frozen, freeze, đóng băng
rejected!: rejected, reject, refused, từ chối
db: database, db, databases, csdl, cơ sở dữ liệu
pr: pr, prs, pull request, pull requests, merge request, merge requests, mr
production: production, prod, live
staging: staging
backup: backup, backups, back up, sao lưu
encrypted: encrypted, encryption, encrypt, mã hóa, mã hoá
keep: keep, kept, keeps, lưu, lưu trữ, retained, retention, retain, giữ, giữ lại, stored, store, stores, live
keep: lives, lived, để
expire: expire, expires, expired, expiry, hết hạn, thời hạn, time out, times out, timeout, timeouts, hết hiệu lực
owner: owner, owns, own, owned, responsible, in charge, phụ trách, chịu trách nhiệm, quản lý, manages
lead: tech lead, team lead, trưởng nhóm, lead, leads
approve: approve, approves, approved, approval, approvals, approver, duyệt, phê duyệt, sign off
review: review, reviews, reviewed, reviewer, reviewers, code review, người review
docs: docs, documentation, document, documents, tài liệu
technical: technical, kỹ thuật
written: written, write, writes, viết, ghi
english: english, tiếng anh
vietnamese: vietnamese, tiếng việt
error: error, errors, lỗi
returns: return, returns, returned, trả về, trả, responds with
dependency: dependency, dependencies, package, packages, thư viện
pinned: pinned, pin, pins, ghim, exact version, exact versions, exact, exact pins, đúng một version
range: range, ranges, caret, caret ranges
only: only, chỉ, solely, exclusively
image: image, images, ảnh, photo, photos, picture, pictures, hình ảnh
product: product, products, sản phẩm
customer: customer, customers, client, clients, khách hàng, khách, người dùng, user, users, khach hang, nguoi dung
order: order, orders, đơn, đơn hàng
cancel: cancel, cancels, cancelled, canceled, hủy, huỷ, bị hủy, hủy đơn
refund: refund, refunds, refunded, hoàn tiền, tiền về, được hoàn tiền
wallet: wallet, ví
delivery: delivery, delivered, deliver, delivers, giao, giao hàng, lúc giao
before: before, trước, trước khi, trước lúc, prior to
after: after, sau, sau khi
admin: admin, administrator, admins, quản trị, admin panel, admin site, trang admin, trang quản trị
access: access, accessible, accessed, reach, reached, reachable, truy cập, vào được
page: page, pages, trang
deploy: deploy, deploys, deployed, deployment, deployments, goes out, triển khai, deploying
release: release, releases, released, phát hành
migration: migrate, migration, migrations
indent: indentation, indent, indented, thụt lề
tab: tab, tabs, tab character
space: space, spaces, dấu cách
squash: squash-merge, squash-merged, squash, squash merge
merge: merge, merged, merges
name: name, named, names, called, tên, đặt tên
version: version, versions, phiên bản
oldest: oldest, minimum, min, lowest, cũ nhất, thấp nhất, tối thiểu, at least, ít nhất
limit: may not exceed, must not exceed, can not exceed, not exceed, không quá, không vượt quá, không được vượt quá
limit: no more than, limit, limits, limited, maximum, max, capped, cap, at most, tối đa, exceed, giới hạn, up to
retry: retry, retries, retried, attempt, attempts, thử lại
fail: fail, fails, failed, failure, thất bại
webhook: webhook, webhooks, webhook deliveries, webhook delivery
queue: queue, hàng đợi
dlq: dead-letter queue, dlq, dead letter queue
event: event, events, sự kiện
log: log, logs, logged, logging
mask: mask, masked, che
phone: phone, phone number, số điện thoại
payment: payment, payments, thanh toán, pay
service: service, services, dịch vụ
cache: cache, cached, caches, caching
test: test, tests, testing, kiểm thử
integration: integration, tích hợp
mock: mock, mocks, mocked, mocking, giả lập
team: team, teams, đội, nhóm, squad
company: company, công ty
office: office, văn phòng
meeting: meeting, meetings, họp, cuộc họp
vacation: vacation, nghỉ phép, days off, ngày phép
employee: employee, employees, staff, nhân viên
remote: remote, remotely, từ xa
branch: branch, branches, nhánh
default: default, defaults, mặc định, by default
install: install, installed, cài đặt
password: password, passwords, passphrase, mật khẩu
length: length, characters, character, ký tự, độ dài
invoice: invoice, invoices, hóa đơn, hoá đơn
send: send, sends, sent, gửi
start: start, starts, started, begin, begins, bắt đầu
launch: go-live, go live, launch, launches, ra mắt, cutover
end: end, ends, ended, kết thúc, finish, finishes
rounded: rounded, round, làm tròn
price: price, prices, giá
shown: displayed, display, hiển thị, shown, show, shows, thấy
include: include, includes, included, including, bao gồm
instalment: trả góp, instalment, instalments, installment
secondary: dự phòng, standby, secondary, failover
primary: primary, chính
prefer: prefer, preferred, prefers, ưu tiên
over: hơn, over
move: moved, move, moves, chuyển, chuyển sang, switched, switch, migrated, swapped, dời, dời sang, đổi, đổi sang
move: slipped, slipped to, postponed, replaced, replace, replaces
now: now, giờ, bây giờ, hiện nay, hiện tại, as of now, from now on, hiện
because: because, vì, do đó, bởi vì, as it
except: except, trừ, ngoại trừ, apart from, unless, riêng, chừa
also: also, as well, kể cả, too
first: first, đầu, đầu tiên
half up: half up
half even: half to even, half even
north: miền bắc, northern
south: miền nam, southern
individual: cá nhân, individual
enterprise: doanh nghiệp, enterprise, corporate
inner city: nội thành
province: ngoại tỉnh, ngoại thành
public: public, công khai
internal: internal, nội bộ
all: toàn bộ, tất cả, everybody, everyone, all, every, mọi, 100%
push: push, pushes, pushed, pushing, push thẳng
go through: go through, goes through, đi qua, qua, through, via, passes it through
mobile: mobile
login: login, log in, sign in, đăng nhập
signup: signup, sign up, sign-up, đăng ký, registration
session: session, sessions, phiên, phiên đăng nhập
environment: environment, environments, môi trường
report: report, reports, reported, báo cáo
rotate: rotate, rotates, rotated, rotation, replace the, xoay vòng, changes, switches
handover: handover, hand-off, handoff, handover note, hand-off note, bàn giao
traffic: traffic, lưu lượng
search: search, tìm kiếm
upload: upload, uploads, file upload, tải lên
free: free, miễn phí
infra: infrastructure, infra, hạ tầng
manual: manual, manually, by hand, thủ công
automatic: automatic, automatically, auto, tự động, tự
wait: wait, waits, delay
code: code, mã nguồn
spec2: two-factor, 2 lớp
authenticate: authentication, authenticate, xác thực
warning: warning, warn, cảnh báo
build: build, builds
pass: pass, passes
gone live: finished the upgrade
postgres: postgres, postgresql
mongodb: mongodb, mongo
golang: go, golang
kubernetes: kubernetes, k8s
javascript: javascript, js
typescript: typescript, ts
timezone: múi giờ, timezone, time zone
"""

# Things of which one is used in the same place, so that naming another one there says something else
RIVALS = """
tab space
single double
snake_case camelcase pascalcase kebab-case
optional required
yarn npm pnpm bun
redux zustand mobx recoil vuex pinia
postgres mysql mariadb sqlite mongodb oracle dynamodb cassandra
kafka rabbitmq nats sqs pulsar activemq
redis memcached valkey
jenkins github gitlab circleci travis buildkite
confluence notion wiki sharepoint
elasticsearch loki opensearch splunk graylog
sentry bugsnag rollbar datadog
flutter native swiftui kotlin
react vue angular svelte
docker podman buildah containerd
jpeg png webp avif gif
json yaml toml xml protobuf
rest graphql grpc soap
java kotlin golang python rust ruby php node typescript javascript scala
english vietnamese french german japanese chinese spanish
utc vietnam local
sms zalo slack teams email telegram discord
aws azure gcp
http https
master main trunk develop
ext4 xfs zfs
sha-1 sha-256 md5 sha-512
singapore hanoi tokyo frankfurt ireland
mocha jest vitest pytest unittest
webpack vite rollup esbuild
nginx apache caddy envoy
terraform pulumi ansible
orm sql
merge rebase squash
monolith microservices
cookie jwt
"""


def safe_without_accents(phrase: str) -> bool:
    """Whether a phrase can be told when its accents are left out."""
    return " " in phrase or phrase.isascii() or phrase in _SAFE
