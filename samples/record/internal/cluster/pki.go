package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificates makes an authority, the API server's certificate, and the key that signs service accounts' tokens.
func (c *Cluster) certificates() error {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca := template(1, "kubernetes")
	ca.IsCA, ca.BasicConstraintsValid = true, true
	ca.KeyUsage |= x509.KeyUsageCertSign
	if err := c.sign("ca", ca, ca, caKey, caKey); err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	srv := template(2, "kube-apiserver")
	srv.DNSNames = []string{"localhost", "kubernetes", "kubernetes.default"}
	for _, ip := range []string{"127.0.0.1", "10.96.0.1", gateway} {
		srv.IPAddresses = append(srv.IPAddresses, net.ParseIP(ip))
	}
	if err := c.sign("server", srv, ca, key, caKey); err != nil {
		return err
	}
	return c.tokenKey()
}

func template(serial int64, name string) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(10 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
}

func (c *Cluster) sign(name string, cert, parent *x509.Certificate, key, parentKey *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, &key.PublicKey, parentKey)
	if err != nil {
		return err
	}
	if err := c.pem(name+".crt", "CERTIFICATE", der); err != nil {
		return err
	}
	b, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return c.pem(name+".key", "EC PRIVATE KEY", b)
}

func (c *Cluster) tokenKey() error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	pub, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	if err := c.pem("sa.pub", "PUBLIC KEY", pub); err != nil {
		return err
	}
	return c.pem("sa.key", "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
}

func (c *Cluster) pem(file, kind string, b []byte) error {
	return os.WriteFile(filepath.Join(c.Dir, file), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600)
}
